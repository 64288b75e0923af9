"""The text that comes with a certificate: what it says, and how to check it without this program."""

from __future__ import annotations

from verifier.certify.manifest import Manifest


def readme(manifest: Manifest) -> str:
    """What the folder is, for a person who finds it."""
    title = f"{manifest.construction}: {manifest.title}" if manifest.title else manifest.construction
    computes = f" and computes {manifest.claim_computes}" if manifest.claim_computes else ""
    lines = [
        f"Certificate for the construction {title}",
        "",
        f"Claim: the softmax head errs by at most {manifest.claim_error} from the hard head, for every length n >= 1,",
        f"which is proved as follows{computes and '; the hard head' + computes.removeprefix(' and')}.",
        "",
    ]
    for one in manifest.simulations:
        scope = f"{one.scope}, {one.parameter_scope}" if one.parameter_scope else one.scope
        lines += [f"  {one.name}: score {one.score}, temperature {one.temperature}; {scope}", f"    {one.bound}"]
    lines += [
        "",
        "Each file in obligations/ is an SMT-LIB 2 script. Its comments say what is claimed; a solver that answers",
        "`unsat` proves it. Each file in assumptions/ shows that what is assumed there can hold: `sat`.",
        "What stands for an exponential is a variable of which only the assertions marked `lemma` are known; the",
        "numbers in them are in manifest.json. docs/trust.md of the project says how to check them.",
        "",
        "To check by hand:",
        "  sha256sum -c SHA256SUMS",
        "  for f in obligations/*.smt2; do z3 $f; done            # unsat for each",
        "  for f in obligations/*.smt2; do cvc5 --nl-cov --nl-ext=none $f; done",
        "or with this project: verify recheck FOLDER",
    ]
    if manifest.not_rechecked:
        lines += ["", "Not checked again from these files:", *(f"  {one}" for one in manifest.not_rechecked)]
    return "\n".join(lines) + "\n"

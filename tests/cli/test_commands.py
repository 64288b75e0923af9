"""The commands: what they pass on, what they print, and how they exit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import sample_results as sample
from tests.json_output import read, validate
from verifier.cli.exit_codes import MEANINGS
from verifier.spec import library
from verifier.spec.errors import SpecError
from verifier.verdict import EXIT_CODES, Result, Verdict

from .conftest import Run, StandIn

Verify = Callable[..., Run]
Mine = Callable[..., str]
SAMPLES = [
    (sample.proved, 0, 0),
    (sample.refuted, 1, 1),
    (sample.bounded, 3, 0),
    (sample.undecided, 3, 3),
]


@pytest.mark.parametrize(("make", "code", "accepting"), SAMPLES)
def test_exit_codes(verify: Verify, check: StandIn, make: Callable[[], Result], code: int, accepting: int) -> None:
    check.returns(make())
    for format_ in ("text", "json"):
        ran = verify("construction", "until", "--format", format_)
        assert (ran.code, ran.err) == (code, "")
        assert ran.out
        assert verify("construction", "until", "--format", format_, "--accept", "bounded").code == accepting


def test_every_verdict_has_its_exit_code_in_the_help(verify: Verify) -> None:
    assert set(MEANINGS) == set(Verdict) == set(EXIT_CODES)
    for command in ([], ["construction"], ["all"], ["audit"]):
        text = verify(*command, "--help").out
        listed = [line.split()[:2] for line in text.partition("Exit codes:")[2].strip().splitlines()]
        assert sorted(listed) == sorted([str(EXIT_CODES[verdict]), verdict.value] for verdict in Verdict)
        assert "0 with --accept bounded" in text


def test_help_names_every_command_and_option(verify: Verify) -> None:
    text = verify("--help").out
    assert all(f"  {command} " in text for command in ("construction", "all", "audit", "list", "show"))
    assert verify("-h").out == text
    for command in ("construction", "all", "audit"):
        options = verify(command, "-h").out
        for option in ("--max-n", "--simulation", "--param", "--format", "--accept", "--seed"):
            assert option in options


def test_version(verify: Verify) -> None:
    from verifier import __version__

    assert verify("--version") == Run(0, f"verify {__version__}\n", "")


def test_what_a_check_is_asked(verify: Verify, check: StandIn) -> None:
    verify("construction", "until")
    construction, options = check.calls.pop()
    assert (construction.name, construction.file) == ("until", "constructions/until.toml")
    assert options.pop("session").second is None
    assert options == {"max_n": 1000, "simulation": None, "seed": 0, "progress": None}
    verify(
        *("construction", "until", "--max-n", "7", "--simulation=temperature"),
        *("--param", "c=7/5", "--seed", "4294967295"),
    )
    construction, options = check.calls.pop()
    assert str(construction.values["c"]) == "7/5"
    del options["session"]
    assert options == {"max_n": 7, "simulation": "temperature", "seed": 2**32 - 1, "progress": None}
    verify("construction", "until", "--solver", "both")
    session = check.calls.pop()[1]["session"]
    assert session.second is not None and session.z3_decides
    verify("construction", "until", "--simulation", "all", "--max-n", "1000000")
    assert check.calls.pop()[1]["simulation"] is None


def test_one_construction_as_json(verify: Verify) -> None:
    ran = verify("construction", "until", "--format=json")
    document = read(ran.out)
    validate(document, "result")
    assert (document["construction"], document["verdict"], ran.code) == ("until", "proved", 0)


def test_the_whole_library(verify: Verify, check: StandIn) -> None:
    ran = verify("all")
    assert ran.code == 0
    assert [construction.name for construction, _ in check.calls] == library.names()
    assert f"{len(library.names())} constructions: {len(library.names())} proved" in ran.out
    document = read(verify("all", "--format", "json").out)
    validate(document, "results")
    assert [result["construction"] for result in document["results"]] == library.names()


def test_the_worst_of_the_library_counts(verify: Verify, check: StandIn) -> None:
    check.answer = lambda name: {"until": sample.refuted, "since": sample.undecided}.get(name, sample.proved)()
    ran = verify("all")
    assert (ran.code, "refuted by a string" in ran.out) == (1, True)
    check.answer = lambda name: sample.bounded() if name == "until" else sample.proved()
    assert verify("all").code == 3
    assert verify("all", "--accept", "bounded").code == 0


def test_a_parameter_applies_where_it_exists(
    verify: Verify, check: StandIn, monkeypatch: pytest.MonkeyPatch, mine: Mine
) -> None:
    folder = Path(mine("first")).parent
    second = Path(mine("second"))
    text = second.read_text().replace("c = {", "scale = {").replace("c > 0", "scale > 0").replace("(c +", "(scale +")
    second.write_text(text.replace("simulations.temperature", "simulations.other"))
    monkeypatch.setattr(library, "directory", lambda: folder)
    assert verify("all", "--param", "c=3").code == 0
    assert [sorted(map(str, one.values.items())) for one, _ in check.calls] == [
        ["('c', Fraction(3, 1))"],
        ["('scale', Fraction(2, 1))"],
    ]
    check.calls.clear()
    ran = verify("all", "--simulation", "temperature", "--format", "json")
    assert [one.name for one, _ in check.calls] == ["first"]
    assert read(ran.out)["skipped"] == ["second"]
    assert "second" in verify("all", "--simulation", "temperature").out
    assert verify("all", "--param", "d=3").err.startswith("verify: --param: no construction of the library has a")
    ran = verify("all", "--simulation", "temperatur")
    assert (ran.code, "did you mean 'temperature'?" in ran.err) == (2, True)


def test_a_wrong_file_in_the_library_is_reported(verify: Verify, monkeypatch: pytest.MonkeyPatch, mine: Mine) -> None:
    folder = Path(mine("first")).parent
    (folder / "broken.toml").write_text("name = 3")
    monkeypatch.setattr(library, "directory", lambda: folder)
    ran = verify("all")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("verify: constructions/broken.toml")
    assert "1 proved, 1 invalid" in ran.out


def test_an_empty_library_checks_nothing(verify: Verify, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "directory", lambda: tmp_path)
    assert verify("all").code == 2
    assert read(verify("all", "--format", "json").out)["verdict"] == "invalid"


def test_audit_of_one_file(verify: Verify, check: StandIn, mine: Mine) -> None:
    file = mine()
    ran = verify("audit", file, "--param", "c=5")
    construction, _ = check.calls.pop()
    assert (ran.code, construction.file, str(construction.values["c"])) == (0, file, "5")
    assert ran.out.startswith("mine  φ U ψ: proved for every n")
    document = read(verify("audit", file, "--format", "json").out)
    validate(document, "results")
    assert [result["construction"] for result in document["results"]] == ["mine"]


def test_audit_of_several_files_checks_all_it_can(verify: Verify, check: StandIn, mine: Mine) -> None:
    files = [mine("a"), mine("b", select="selects"), "/nowhere/c.toml", mine("d")]
    ran = verify("audit", *files)
    assert ran.code == 2
    assert [construction.name for construction, _ in check.calls] == ["a", "d"]
    assert [line.partition(": ")[2].partition(":")[0] for line in ran.err.splitlines()] == files[1:3]
    assert "2 proved, 2 invalid" in ran.out
    document = read(verify("audit", *files, "--format", "json").out)
    validate(document, "results")
    assert [result["verdict"] for result in document["results"]] == ["proved", "invalid", "invalid", "proved"]
    assert document["error"]["file"] == files[1]


def test_audit_of_one_wrong_file(verify: Verify, mine: Mine) -> None:
    file = mine("a", select="selects")
    ran = verify("audit", file)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"verify: {file}:10: head.selects: unknown field")


def test_an_excerpt_shows_the_place(verify: Verify, tmp_path: Path, mine: Mine) -> None:
    path = Path(mine("a"))
    path.write_text(path.read_text().replace('"[selected]"', '"2*[selekted]"'))
    ran = verify("audit", str(path))
    assert ran.code == 2
    line, text, caret = ran.err.splitlines()
    assert line.startswith(f"verify: {path}:") and "score, column 4" in line
    assert (text, caret) == ("    2*[selekted]", "       ^")


def test_the_list(verify: Verify) -> None:
    ran = verify("list")
    assert ran.code == 0
    lines = ran.out.splitlines()[1:]
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == library.names()
    words = [line.split() for line in lines]
    first = ["until", "φ", "U", "ψ", "position-embedding", "linear:", "j,", "n", "2", "bounded", "≤", "1/4"]
    assert first in words
    assert words[words.index(first) + 1] == ["temperature", "bounded:", "j/n", "1", "linear"]
    document = read(verify("list", "--format", "json").out)
    validate(document, "library")
    assert [one["name"] for one in document["constructions"]] == library.names()


def test_show(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    def symbolic(construction: Any, simulation: str | None = None, format: str = "text") -> str:
        return f"{construction.name} {construction.values['c']}\n{simulation} {format}\x1b[31m"

    module = ModuleType("verifier.report.show")
    module.show = symbolic  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "verifier.report.show", module)
    assert verify("show", "until").out == "until 2\nNone text\\x1b[31m\n"
    ran = verify("show", "until", "--format=latex", "--simulation", "temperature", "--param", "c=3")
    assert ran == Run(0, "until 3\ntemperature latex\\x1b[31m\n", "")


def test_names_are_never_paths(verify: Verify, check: StandIn, mine: Mine, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path(mine("until-too"))
    monkeypatch.chdir(file.parent)
    for name in (
        "until-too",
        "until-too.toml",
        "./until-too",
        str(file),
        "../until",
        "a\\b",
        "",
        ".",
        "..",
        "UNTIL",
    ):
        with pytest.raises(SpecError):
            library.find(name)
        ran = verify("construction", name)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
    for name in ("./until-too", str(file), "a\\b", "until.toml"):
        assert "`verify audit FILE`" in verify("construction", name).err
    assert "did you mean 'until'" in verify("construction", "untl").err
    assert "`verify list`" in verify("construction", "zzz").err
    assert not check.calls


def test_the_python_interface(check: StandIn, mine: Mine) -> None:
    import verifier

    assert verifier.verify(verifier.load("until", {"c": "3"}), max_n=9).verdict is verifier.Verdict.PROVED
    assert check.calls[0][1] == {"max_n": 9, "simulation": None, "seed": 0}
    assert verifier.load(Path(mine())).name == "mine"
    with pytest.raises(SpecError, match="unknown construction"):
        verifier.load("mine")
    assert json.dumps(sorted(verifier.__all__)) == '["Result", "Verdict", "load", "verify"]'

"""Wrong command lines: exit code 2, one clear line, and a JSON document for those who asked for JSON."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.json_output import read, validate

from .conftest import Run, StandIn

Verify = Callable[..., Run]
RANGE = "expected a whole number from 1 to 1000000, found"

WRONG = [
    ("", "missing command"),
    ("constructoin until", "no such command 'constructoin'"),
    ("construction", "missing argument 'NAME'"),
    ("audit", "missing argument 'FILE|DIR|-'"),
    ("construction until since", "unexpected extra argument"),
    ("construction until --no-such-option", "no such option: --no-such-option"),
    ("construction until --max-n", "--max-n"),
    ("construction until --max-n 0", f"--max-n: {RANGE} '0'"),
    ("construction until --max-n -5", f"--max-n: {RANGE} '-5'"),
    ("construction until --max-n abc", f"--max-n: {RANGE} 'abc'"),
    ("construction until --max-n 1000001", f"--max-n: {RANGE} '1000001'"),
    ("construction until --max-n 1e3", f"--max-n: {RANGE} '1e3'"),
    ("construction until --max-n 1_000", f"--max-n: {RANGE} '1_000'"),
    ("construction until --max-n 10.0", f"--max-n: {RANGE} '10.0'"),
    ("construction until --max-n=", f"--max-n: {RANGE} ''"),
    ("construction until --max-n ١٢", f"--max-n: {RANGE} '١٢'"),
    ("construction until --max-n " + "9" * 5000, f"--max-n: {RANGE} '999"),
    ("construction until --seed -1", "--seed: expected a whole number from 0 to 4294967295, found '-1'"),
    ("construction until --format xml", "--format: expected text or json, found 'xml'"),
    ("construction until --format jsn", "--format: expected text or json, found 'jsn'; did you mean 'json'?"),
    ("show until --format html", "--format: expected text or latex, found 'html'"),
    ("list --format latex", "--format: expected text or json, found 'latex'"),
    ("construction until --accept refuted", "--accept: expected bounded, found 'refuted'"),
    ("construction until --param c", "--param: expected NAME=VALUE, such as c=3, found 'c'"),
    ("construction until --param =3", "--param: expected NAME=VALUE, such as c=3, found '=3'"),
    ("construction until --param c=", "--param: expected NAME=VALUE, such as c=3, found 'c='"),
    ("construction until --param c=3 --param c=3", "--param: the parameter 'c' is given twice"),
    ("construction until --param d=2", "--param: no parameter 'd' in this construction"),
    ("construction until --param c=x", "--param c: expected a rational number"),
    ("construction until --param c=-1", "--param: c = -1 is outside its domain"),
    ("construction until --param c=__import__('os')", "--param c: expected a rational number"),
    ("construction until --simulation nothing", "--simulation: unknown simulation 'nothing' of 'until'"),
    ("construction until --simulation temprature", "did you mean 'temperature'?"),
    ("show until --simulation nothing", "--simulation: unknown simulation 'nothing'"),
    ("construction untl", "unknown construction 'untl'; did you mean 'until'"),
    ("show untl", "unknown construction 'untl'"),
    ("all until", "unexpected extra argument"),
    ("all --max-n x", "--max-n"),
    ("audit x.toml --format yaml", "--format"),
    ("audit no-such-file.toml", "no-such-file.toml: cannot be read"),
    ("audit /dev/null", "/dev/null: expected a regular file"),
    ("audit - -", "expected '-', the standard input, once at most"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_one_clear_line(verify: Verify, check: StandIn, line: str, message: str) -> None:
    ran = verify(*line.split(" ")) if line else verify()
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("verify: ") and ran.err.count("\n") == 1
    assert message in ran.err
    assert len(ran.err) < 400
    assert not check.calls


@pytest.mark.parametrize("line", [line for line, _ in WRONG if line and "--format" not in line])
@pytest.mark.parametrize("json", [["--format", "json"], ["--format=json"]])
def test_the_same_as_json(verify: Verify, line: str, json: list[str]) -> None:
    arguments = line.split(" ")
    ran = verify(arguments[0], *json, *arguments[1:])
    assert ran.code == 2
    assert ran.err.startswith("verify: ") and ran.err.count("\n") == 1
    document = read(ran.out)
    validate(document)
    assert document["verdict"] == "invalid"
    assert document["error"]["message"] in ran.err


@pytest.mark.parametrize(
    "hostile",
    ["\x1b[31mred", "a\nb", "\x00", "\ud800", "\u202egpj", "[bold]x[/bold]", "%s{0}", "-" * 3, "x" * 100_000],
)
def test_hostile_arguments(verify: Verify, hostile: str) -> None:
    for arguments in (
        ["construction", hostile],
        ["construction", "until", hostile],
        ["construction", "until", "--simulation", hostile],
        ["construction", "until", "--max-n", hostile],
        ["construction", "until", "--param", f"{hostile}=1"],
        ["construction", "until", "--param", f"c={hostile}"],
        ["construction", "until", f"--{hostile}"],
        ["audit", hostile],
        [hostile],
    ):
        for extra in ([], ["--format=json"]):
            ran = verify(arguments[0], *extra, *arguments[1:])
            assert ran.code == 2, arguments
            assert ran.err.startswith("verify: ") and ran.err.count("\n") == 1
            assert not set(ran.err) & set("\x1b\x00\ud800\u202e")
            if extra and arguments[0] != hostile:
                read(ran.out)
                assert ran.out.isascii()

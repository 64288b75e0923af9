"""The command as a process of its own: start-up, streams, encodings, terminals, signals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.json_output import read, validate

# Unbuffered streams would hide what goes wrong when buffers are written at exit.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
MODULE = [sys.executable, "-m", "verifier"]
SCRIPT = Path(sys.executable).with_name("verify")
needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")

SLEEPER = """
import sys, time, types
from verifier.cli import main
module = types.ModuleType("verifier.check")
def check(*given, **options):
    print("started", file=sys.stderr, flush=True)
    time.sleep(30)
module.check = check
sys.modules["verifier.check"] = module
sys.exit(main(["construction", "until", *sys.argv[1:]]))
"""
HEAVY = """
import sys
from verifier.cli import main
assert main(sys.argv[1:]) == 0
heavy = {"sympy", "z3", "numpy", "lark", "flint", "rich", "mpmath", "hypothesis", "asyncio"}
sys.exit(", ".join(sorted(heavy & set(sys.modules))) or 0)
"""


def run(*arguments: str, command: list[str] = MODULE, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        env=ENVIRONMENT | environment,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(not SCRIPT.exists(), reason="the package is not installed with its script")
def test_the_installed_script(tmp_path: Path) -> None:
    ran = subprocess.run(
        [SCRIPT, "list", "--format", "json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=True,
    )
    document = read(ran.stdout)
    validate(document, "library")
    assert "until" in [one["name"] for one in document["constructions"]]
    ran = run("construction", "untl", command=[str(SCRIPT)])
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


def test_the_module_is_the_same_command() -> None:
    ran = run("--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Usage: verify ")


@pytest.mark.parametrize("arguments", [["--help"], ["construction", "--help"], ["--version"]])
def test_start_up_imports_nothing_heavy(arguments: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", HEAVY, *arguments], capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_usage_error_loads_no_solver() -> None:
    code = HEAVY.replace("== 0", "== 2").replace('"lark", ', "").replace('"rich", ', "")
    for arguments in (
        ["construction", "untl"],
        ["construction", "until", "--max-n", "0"],
        ["audit", "/nowhere"],
    ):
        ran = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, env=ENVIRONMENT
        )
        assert ran.returncode == 0, ran.stderr


def test_an_encoding_without_symbols() -> None:
    ran = run("list", PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.isascii() and "phi U psi" in ran.stdout
    assert run("construction", "φ", PYTHONIOENCODING="ascii").stderr == (
        "verify: unknown construction '\\u03c6'; `verify list` shows them all\n"
    )
    assert run("list", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0").returncode == 0


def test_arguments_that_are_not_text() -> None:
    ran = subprocess.run([*MODULE, "audit", b"\xff.toml", "--format", "json"], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr.count(b"\n")) == (2, 1)
    assert ran.stdout.isascii()
    assert read(ran.stdout.decode())["error"]["file"] == "\\udcff.toml"


@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["list", "--format", "json"], ["--version"]])
def test_a_reader_that_goes_away(arguments: list[str]) -> None:
    process = subprocess.Popen(
        [*MODULE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == "verify: the output was closed before all of it was written\n"
    assert process.wait(30) == 4


@needs_full_device
@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["construction", "x", "--format", "json"]])
def test_a_full_disk(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*MODULE, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=ENVIRONMENT
        )
    expected = "unknown construction" if arguments[0] == "construction" else "No space left on device"
    assert ran.returncode == (2 if arguments[0] == "construction" else 4)
    assert ran.stderr.startswith(f"verify: {expected}") and ran.stderr.count("\n") == 1


@needs_full_device
def test_a_full_disk_for_messages() -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([*MODULE, "audit"], stdout=subprocess.PIPE, stderr=full, check=False, env=ENVIRONMENT)
    assert (ran.returncode, ran.stdout) == (2, b"")


def test_ctrl_c() -> None:
    for extra in ([], ["--format", "json"]):
        process = subprocess.Popen(
            [sys.executable, "-c", SLEEPER, *extra],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
        )
        assert process.stderr is not None and process.stdout is not None
        assert process.stderr.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (4, "verify: interrupted\n")
        assert (read(out)["verdict"] if extra else out) == ("failed" if extra else "")


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes to a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm-256color", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"} | environment
    kept = {name: value for name, value in ENVIRONMENT.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen([*MODULE, *arguments], stdout=theirs, stderr=theirs, env=kept | settings)
    os.close(theirs)
    out = b""
    try:
        while chunk := os.read(ours, 65536):
            out += chunk
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    os.close(ours)
    assert process.wait(30) == 0
    return out.decode()


def test_a_terminal_gets_colour_and_lines_unless_it_refuses() -> None:
    text = on_a_terminal("list")
    assert "\x1b[" in text and "─" in text
    for refusal in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        text = on_a_terminal("list", **refusal)
        assert "\x1b" not in text and "─" in text


def test_a_pipe_gets_the_same_whatever_the_terminal() -> None:
    plain = run("list").stdout
    for environment in ({"COLUMNS": "40"}, {"FORCE_COLOR": "1"}, {"TERM": "dumb"}, {"TTY_COMPATIBLE": "1"}):
        assert run("list", **environment).stdout == plain

"""Files as they come: huge, hostile, not UTF-8, no TOML, no files at all; and the lines on which fields stand."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.spec.files import FILE, FULL, line_of
from verifier.spec.errors import SpecError
from verifier.spec.loader import construct, load_file
from verifier.spec.source import LARGEST_FILE, LONGEST_KEY, decode, read

LIMIT = 8.0  # seconds; every refusal takes a fraction of that, unless the machine is busy


def refused(raw: bytes) -> SpecError:
    """The refusal of a file's bytes, which must come soon."""
    started = time.process_time()
    with pytest.raises(SpecError) as caught:
        construct(decode(raw, FILE))
    assert time.process_time() - started < LIMIT
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600
    assert caught.value.file == FILE
    return caught.value


@pytest.mark.parametrize(
    ("raw", "line", "message"),
    [
        (b"name = 'a'\n\xff", 2, "expected UTF-8, found the byte 0xff"),
        ("name = 'é'".encode("utf-16"), 1, "expected UTF-8"),
        (b"name = 'a'\nname = 'b'", 2, "not valid TOML: Cannot overwrite a value"),
        (b"[head]\n[head]\n", 2, "not valid TOML: Cannot declare ('head',) twice"),
        (b"name = 'a'\n\x00", 2, "not valid TOML: Invalid statement"),
        (b"name = 'a\x00'", 1, "not valid TOML: Found invalid character '\\x00'"),
        (b"name", 1, "not valid TOML"),
        (b'name = "a', 1, "not valid TOML"),
        (b"\nname = '''a\n", 3, "not valid TOML"),
        (b"a = " + b"9" * 5_000, None, "an integer with too many digits"),
        (b"a = 2026-13-01", 1, "not valid TOML"),
        (b"a = " + b"[" * 10_000, None, "nested too deep"),
        (b"a = " + b"{a=" * 1_300, None, "nested too deep"),
        (b"", None, "missing field 'name'"),
        (b"\x00" * 50, 1, "not valid TOML"),
    ],
)
def test_what_is_no_construction_file_is_refused(raw: bytes, line: int | None, message: str) -> None:
    error = refused(raw)
    assert message in error.message
    assert error.line == line


def test_a_message_names_no_recursion_where_there_is_none() -> None:
    assert "nested" not in refused(b"recursion = 1\nrecursion = 2").message


HOSTILE = {
    "blanks after a bracket": b"about = '''\n[" + b" " * 90_000 + b"'''",
    "blanks before nothing": b"about = '''\n" + b" " * 90_000 + b"!'''",
    "brackets": b"about = '''\n" + b"[" * 90_000 + b"'''",
    "quotes": b'about = """\n' + b"'\\\"" * 30_000 + b'"""',
    "a dotted key": b"a" + b".a" * 49_000 + b" = 1",
    "a dotted key in quotes": b'"="' + b".a" * 49_000 + b" = 1",
    "a dotted table": b"[a" + b".a" * 49_000 + b"]",
    "dotted keys": b"".join(b"a%d" % at + b".a" * 1_900 + b" = 1\n" for at in range(26)),
    "many keys": b"".join(b"a%d = 1\n" % at for at in range(9_000)),
    "many tables": b"".join(b"[a%d]\n" % at for at in range(9_000)),
    "arrays of tables": b"[[a]]\n" * 16_000,
    "escapes": b'name = "' + b"\\u0041" * 16_000 + b'"',
    "a long name": b"name = '" + b"a" * 90_000 + b"'",
    "a hexadecimal integer": b"name = 0x" + b"f" * 90_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_soon(name: str) -> None:
    refused(HOSTILE[name])


@pytest.mark.parametrize(
    "expression",
    ["(" * 3_999, "-" * 3_999, "[" * 3_999, "1+" * 1_999, "1^" * 1_999, "not " * 999, "1<" * 1_999, "j*" * 1_999 + "j",
     "(1+j)*" * 600 + "j", "max(" * 900, "2^(10^9)", "1" * 3_999, "a" * 3_999, "\\u0000", "\\ud7ff" * 500],
)  # fmt: skip
def test_a_hostile_expression_is_refused_soon(expression: str) -> None:
    text = FULL.replace('"c*(2*n*[selected] - j)"', f'"{expression}"')
    error = refused(text.encode())
    assert error.field == "simulations.one.score"
    assert error.line == line_of(text, "score = ")


@pytest.mark.parametrize("formula", ["(" * 90_000, "!" * 90_000, "phi U " * 14_000, "phi & " * 14_000 + "phi"])
def test_a_hostile_formula_is_refused_soon(formula: str) -> None:
    error = refused(FULL.replace('"phi U psi"', f'"{formula}"').encode())
    assert error.field == "claim.computes" and error.position is not None


def test_the_largest_file() -> None:
    comment = f"# {'x' * 1_000}\n"
    most = FULL.encode() + (comment * 200).encode()
    padded = most[:LARGEST_FILE]
    assert construct(decode(padded, FILE)).name == "mine"
    assert refused(padded + b"\n").message == f"expected a file of at most {LARGEST_FILE} bytes"


def test_the_longest_key() -> None:
    assert construct(decode(f"{FULL}# {'x' * (LONGEST_KEY - 2)}".encode(), FILE)).name == "mine"
    assert f"at most {LONGEST_KEY} characters" in refused(f"{FULL}# {'x' * LONGEST_KEY}".encode()).message


@pytest.mark.parametrize("start", ["\ufeff", ""])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_line_ends_of_windows_are_accepted(start: str, end: str) -> None:
    text = start + FULL.replace("\n", end)
    assert construct(decode(text.encode(), FILE)).title == "φ U ψ"
    wrong = text.replace('tie = "leftmost"', 'tie = "left"')
    assert refused(wrong.encode()).line == line_of(FULL, "tie = ")


class TestLines:
    def line(self, text: str, field: str) -> int | None:
        return decode(text.encode(), FILE).line(field)

    def test_of_every_field(self) -> None:
        table = ""
        for number, line in enumerate(FULL.splitlines(), start=1):
            if line.startswith("["):
                table = line.strip("[]")
                assert self.line(FULL, table) == number
            elif line:
                assert self.line(FULL, f"{table}.{line.split(' = ')[0]}".lstrip(".")) == number

    def test_of_a_field_within_an_inline_table(self) -> None:
        assert self.line(FULL, "parameters.c.domain") == line_of(FULL, "c = {")

    def test_of_what_is_missing(self) -> None:
        assert self.line(FULL, "head.missing") == line_of(FULL, "[head]")
        assert self.line(FULL, "nothing.at.all") is None

    @pytest.mark.parametrize("quote", ['"""', "'''"])
    def test_are_not_those_within_a_text(self, quote: str) -> None:
        text = f"about = {quote}\n[head]\nmask = 1\n{quote}\n[head]\nmask = 2\n"
        assert self.line(text, "head.mask") == 6
        closed = f"about = {quote}a{quote} # {quote}\n[head]\nmask = 2\n"
        assert self.line(closed, "head.mask") == 3

    def test_of_keys_in_quotes_and_with_dots(self) -> None:
        text = "# [head]\n[ 'head' ]\n\"mask\"  = 1\n\n[simulations.'one']\nscore.deep = 1\n"
        assert self.line(text, "head.mask") == 3
        assert self.line(text, "simulations.one.score.deep") == 6

    def test_are_ended_by_line_feeds_alone(self) -> None:
        assert self.line("# \u2028 \x85\n[head]\n", "head") == 2


class TestPlaces:
    def test_a_folder(self, tmp_path: Path) -> None:
        assert self.message(tmp_path) == "expected a regular file"

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert self.message(tmp_path / "pipe") == "expected a regular file"

    def test_a_device(self) -> None:
        assert self.message(Path("/dev/zero")) == "expected a regular file"

    def test_nothing(self, tmp_path: Path) -> None:
        assert self.message(tmp_path / "none.toml") == "cannot be read: No such file or directory"
        assert self.message(Path("a\0b")) == "cannot be read: embedded null byte"
        assert "cannot be read: File name too long" in self.message(Path("x" * 5_000))

    def test_links(self, tmp_path: Path) -> None:
        (tmp_path / "file.toml").write_text(FULL, encoding="utf-8")
        (tmp_path / "link.toml").symlink_to("file.toml")
        assert load_file(tmp_path / "link.toml").name == "mine"
        (tmp_path / "loop.toml").symlink_to("loop.toml")
        assert "Too many levels of symbolic links" in self.message(tmp_path / "loop.toml")
        (tmp_path / "folder.toml").symlink_to(tmp_path)
        assert self.message(tmp_path / "folder.toml") == "expected a regular file"

    def test_a_file_of_a_hundred_megabytes(self, tmp_path: Path) -> None:
        with (tmp_path / "huge.toml").open("wb") as stream:
            stream.truncate(100_000_000)
        started = time.process_time()
        assert self.message(tmp_path / "huge.toml") == f"expected a file of at most {LARGEST_FILE} bytes"
        assert time.process_time() - started < LIMIT

    def message(self, path: Path) -> str:
        with pytest.raises(SpecError) as caught:
            read(path)
        assert caught.value.file == str(path)
        return caught.value.message


def lines() -> st.SearchStrategy[list[str]]:
    return st.lists(
        st.sampled_from([*FULL.splitlines(), *(f"{line} x" for line in FULL.splitlines()[:6])]), max_size=40
    )


def corrupted() -> st.SearchStrategy[bytes]:
    """Lines of a file in any order, and a file with some of its bytes replaced."""

    def replaced(changes: list[tuple[int, bytes]]) -> bytes:
        raw = FULL.encode()
        for at, new in changes:
            raw = raw[: at % len(raw)] + new + raw[at % len(raw) + len(new) :]
        return raw

    place = st.tuples(
        st.integers(0, len(FULL)), st.binary(max_size=6) | st.sampled_from([b'"', b"\n", b"= ", b"j", b"("])
    )
    return st.one_of(st.lists(place, max_size=4).map(replaced), lines().map("\n".join).map(str.encode), st.binary())


@given(corrupted())
def test_whatever_a_file_holds_it_is_loaded_or_refused_by_one_message(raw: bytes) -> None:
    try:
        construct(decode(raw, FILE))
    except SpecError as error:
        assert str(error).startswith(FILE) and "\n" not in str(error)
        excerpt = error.excerpt()
        assert excerpt is None or excerpt.count("\n") == 1

from __future__ import annotations

import pickle
import time
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.logic import FormulaError
from verifier.logic.parser import DEEPEST, LONGEST_TEXT, parse
from verifier.logic.syntax import BINARY, UNARY, Atom, Binary, Constant, Unary, depth, size

a, b, c = Atom("a"), Atom("b"), Atom("c")


def refusal(text: str, atoms: Collection[str] | None = None) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        parse(text, atoms)
    return caught.value


@pytest.mark.parametrize("op", UNARY)
def test_unary_operators(op: str) -> None:
    assert parse(f"{op} a") == Unary(op, a)
    assert parse(f"{op}(a)") == Unary(op, a)
    assert parse(f"{op} {op} a U b") == Binary("U", Unary(op, Unary(op, a)), b)


@pytest.mark.parametrize("op", BINARY)
def test_binary_operators(op: str) -> None:
    assert parse(f"a {op} b") == Binary(op, a, b)
    assert parse(f"(a){op}(b)") == Binary(op, a, b)


def test_leaves() -> None:
    assert parse(" true ") == Constant(True)
    assert parse("false") == Constant(False)
    assert parse("phi_2") == Atom("phi_2")
    assert parse("trueish") == Atom("trueish")
    assert parse("Xa") == Atom("Xa")


@pytest.mark.parametrize("op", ["->", "<->", "U", "S", "sU", "sS"])
def test_grouping_to_the_right(op: str) -> None:
    assert parse(f"a {op} b {op} c") == Binary(op, a, Binary(op, b, c))


@pytest.mark.parametrize("op", ["&", "|"])
def test_grouping_to_the_left(op: str) -> None:
    assert parse(f"a {op} b {op} c") == Binary(op, Binary(op, a, b), c)


def test_precedence() -> None:
    levels = [("<->",), ("->",), ("|",), ("&",), ("U", "S", "sU", "sS")]
    for index, looser in enumerate(levels):
        for tighter in levels[index + 1 :]:
            for low in looser:
                for high in tighter:
                    assert parse(f"a {low} b {high} c") == Binary(low, a, Binary(high, b, c))
                    assert parse(f"a {high} b {low} c") == Binary(low, Binary(high, a, b), c)
    assert parse("a U b S c") == Binary("U", a, Binary("S", b, c))
    assert parse("! a U X b") == Binary("U", Unary("!", a), Unary("X", b))


def test_blanks_do_not_matter() -> None:
    assert parse("\ta->\r\n  !b&c ") == parse("a -> !b & c")


def test_line_and_column() -> None:
    error = refusal("a &\n  | b")
    assert (error.position, error.line, error.column) == (6, 2, 3)
    assert str(error) == "line 2, column 3: expected a formula, found '|'"
    assert error.expected == ("a formula",)
    assert error.text == "a &\n  | b"
    assert error.excerpt() == "a &\\n  | b\n       ^"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: expected a formula, found the end"),
        ("(a &)", "column 5: expected a formula, found ')'"),
        ("a b", "column 3: expected a binary operator or the end, found 'b'"),
        ("(a b)", "column 4: expected a binary operator or ')', found 'b'"),
        ("a X", "column 3: expected a binary operator or the end, found 'X'"),
        ("a1U b", "column 5: expected a binary operator or the end, found 'b'"),
        ("a sU ", "column 5: expected a formula, found the end"),
        ("(a | (b)", "column 9: expected a binary operator or ')', found the end "
                     "(the '(' at column 1 is not closed)"),
        ("a\n& (b", "line 2, column 5: expected a binary operator or ')', found the end "
                    "(the '(' at line 2, column 3 is not closed)"),
        ("a) & b", "column 2: expected a binary operator or the end, found ')' (no '(' is open)"),
        ("a & -> b", "column 5: expected a formula, found '->'"),
        ("a <-> <-> b", "column 7: expected a formula, found '<->'"),
        ("a ? b", "column 3: expected a binary operator or the end, found '?'"),
        ("X \u0430", "column 3: expected a formula, found U+0430 CYRILLIC SMALL LETTER A"),
        ("a\ud800", "column 2: expected a binary operator or the end, found U+D800"),
    ],
)  # fmt: skip
def test_syntax_errors(text: str, message: str) -> None:
    assert str(refusal(text)) == message


@pytest.mark.parametrize(
    ("text", "position", "found", "hint"),
    [
        ("a && b", 2, "'&&'", "write a single '&'"), ("&& b", 0, "'&&'", "write a single '&'"),
        ("a || b", 2, "'||'", "write a single '|'"), ("a /\\ b", 2, "'/\\'", "write '&'"),
        ("[] a", 0, "'[]'", "write 'G'"), ("<> a", 0, "'<>'", "write 'F'"), ("~a", 0, "'~'", "write '!'"),
        ("a => b", 2, "'=>'", "write '->'"), ("a <=> b", 2, "'<=>'", "write '<->'"),
        ("a == b", 2, "'=='", "write '<->'"), ("a ==> b", 2, "'==>'", "write '->'"),
        ("a != b", 2, "'!='", "write '!(a <-> b)'"), ("a <- b", 2, "'<-'", "turn the implication round"),
        ("a - > b", 2, "'-'", "without a blank"), ("a < -> b", 2, "'<'", "without a blank"),
        ("F[0,3] a", 1, "'['", "no intervals"), ("'a'", 0, "'''", "without quotes"),
        ("{a}", 0, "'{'", "group with"), ("(a]", 2, "']'", "group with"),
        ("a \u2227 b", 2, "U+2227 LOGICAL AND", "write '&'"), ("\u00acb", 0, "U+00AC NOT SIGN", "write '!'"),
        ("a R b", 2, "'R'", "'!(!a U !b)'"), ("a W b", 2, "'W'", "'(a U b) | G a'"),
    ],
)  # fmt: skip
def test_spellings_of_other_tools(text: str, position: int, found: str, hint: str) -> None:
    error = refusal(text)
    assert error.position == position
    assert f"found {found} (" in error.message
    assert hint in error.message


@pytest.mark.parametrize("atoms", [None, "ab"])
@pytest.mark.parametrize(
    ("text", "position", "ours"),
    [
        ("TRUE", 0, "true"),
        ("a & False", 4, "false"),
        ("a and b", 2, "&"),
        ("a OR b", 2, "|"),
        ("not a", 0, "!"),
    ],
)
def test_foreign_words(text: str, position: int, ours: str, atoms: str | None) -> None:
    error = refusal(text, atoms)
    assert error.position == position
    assert error.message.startswith(f"expected '{ours}', found ")


def test_release_and_weak_until_are_what_the_hints_say() -> None:
    for text in ("!(!a U !b)", "(a U b) | G a", "!(a <-> b)"):
        assert any(f"'{text}'" in refusal(f"a {word} b").message for word in ("R", "W", "xor"))
        assert parse(text)


def test_unknown_atoms() -> None:
    error = refusal("a U (d & e)", "cab")
    assert str(error) == "column 6: unknown atom 'd' (the atoms are: a, b, c)"
    assert error.expected == ("a", "b", "c")
    assert error.position == 5
    assert "did you mean 'true'?" in refusal("a & tru", "ab").message
    assert "write 'X a' with a blank" in refusal("Xa", "ab").message
    assert "(the atoms are: none)" in refusal("a", "01U").message
    assert "(the atoms are: none)" in refusal("a", "").message
    many = refusal("A" * 90_000, [f"p{index}" for index in range(10_000)])
    assert len(many.message) < 300
    assert "'AAAA" in many.message


def test_any_identifier_without_atoms() -> None:
    assert parse("phi U psi_1") == Binary("U", Atom("phi"), Atom("psi_1"))
    assert parse("R & W") == Binary("&", Atom("R"), Atom("W"))


def test_the_longest_text() -> None:
    assert parse("a" + " " * (LONGEST_TEXT - 1)) == a
    error = refusal("a" + " " * LONGEST_TEXT)
    assert "at most 100000 characters, found 100001" in error.message
    assert error.position == LONGEST_TEXT


def test_the_deepest_parentheses() -> None:
    assert parse("(" * DEEPEST + "a" + ")" * DEEPEST) == a
    error = refusal("b & " + "(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1))
    assert error.position == 4 + DEEPEST
    assert "at most 500 deep" in error.message


@pytest.mark.parametrize(
    ("head", "tail"), [("X ", "a"), ("!", "a"), ("a U ", "b"), ("a -> ", "b"), ("a & ", "b"), ("X (", "a")]
)
def test_the_deepest_tree(head: str, tail: str) -> None:
    closing = ")" * head.count("(")
    assert depth(parse(head * DEEPEST + tail + closing * DEEPEST)) == DEEPEST
    error = refusal(head * (DEEPEST + 1) + tail + closing * (DEEPEST + 1))
    assert "at most 500 deep" in error.message
    assert 0 <= error.position < len(error.text)


def test_parsing_is_fast() -> None:
    parse("a")
    cases = [
        "(" * 10_000 + "a" + ")" * 10_000,
        "!" * (LONGEST_TEXT - 1) + "a",
        "a&" * 40_000 + "b",
        ")" * 90_000,
    ]
    start = time.perf_counter()
    for text in cases:
        refusal(text)
    assert time.perf_counter() - start < 3
    start = time.perf_counter()
    formula = parse(" & ".join(["X (a U !b)"] * 50))
    assert size(formula) == 50 * 5 + 49
    for _ in range(100):
        parse("a")
    assert time.perf_counter() - start < 0.5


def test_the_excerpt_of_a_long_text_is_a_window() -> None:
    text = "a & " * 100 + "? " + "& a" * 100
    shown, caret = refusal(text).excerpt().split("\n")
    assert len(shown) <= 70
    assert shown.startswith("...")
    assert shown.endswith("...")
    assert shown[caret.index("^")] == "?"
    text = "a & " * 100
    shown, caret = refusal(text).excerpt().split("\n")
    assert shown == "..." + text[-60:]
    assert caret.index("^") == len(shown) - 1


@pytest.mark.parametrize("symbol", ["\x00", "\x1b", "\ud800", "\U0001f600", "\u0301", "\u200b", "\x7f"])
def test_the_caret_stands_below_an_escaped_symbol(symbol: str) -> None:
    error = refusal(f"(a {symbol}{symbol} & b)")
    shown, caret = error.excerpt().split("\n")
    assert shown.isascii()
    assert shown.isprintable()
    assert str(error).isprintable()
    assert str(error).isascii()
    escaped = ascii(symbol)[1:-1]
    assert shown[caret.index("^") :].startswith(escaped)
    assert shown[: caret.index("^")] == "(a "


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(refusal("a &\n|")))
    assert str(error) == "line 2, column 1: expected a formula, found '|'"
    assert (error.text, error.position, error.expected) == ("a &\n|", 4, ("a formula",))


TOKENS = st.sampled_from(
    [
        *UNARY,
        *BINARY,
        "(",
        ")",
        "a",
        "b",
        "true",
        "&&",
        "[]",
        "and",
        "R",
        "\n",
        "<",
        "-",
        "\ud800",
        "9",
        "é",
        "\x00",
    ]
)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.one_of(st.lists(TOKENS).map(" ".join), st.lists(TOKENS).map("".join), st.text(max_size=20)))
def test_any_text_is_parsed_or_refused_in_words(text: str) -> None:
    try:
        parse(text, "ab")
    except FormulaError as error:
        assert 0 <= error.position <= len(text)
        assert str(error).isprintable()
        shown, caret = error.excerpt().split("\n")
        assert caret.index("^") <= len(shown)
        lines = text.split("\n")
        assert error.position == sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1

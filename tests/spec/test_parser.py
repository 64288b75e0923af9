"""Grammar and precedence: what a text means, and what is said about a text that means nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.spec.scopes import SCOPE
from verifier.spec.errors import SpecError
from verifier.spec.parser import DEEPEST, LONGEST_NUMBER, LONGEST_TEXT, parse
from verifier.spec.syntax import Apply, Expr, InputAt, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import Scope, Type

n, i, j, c = map(Variable, "nijc")
phi, psi = (InputAt(name, ("j",)) for name in ("phi", "psi"))


def number(value: int | str) -> Number:
    return Number(Fraction(value))


def op(operator: str, *operands: Expr) -> Apply:
    return Apply(operator, operands)


def expr(text: str) -> Expr:
    return parse(text, SCOPE).expr


def refusal(text: str, scope: Scope = SCOPE) -> SpecError:
    with pytest.raises(SpecError) as caught:
        parse(text, scope)
    return caught.value


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("i + j*n", op("+", i, op("*", j, n))),
        ("(i + j)*n", op("*", op("+", i, j), n)),
        ("i - j - n", op("-", op("-", i, j), n)),
        ("i - (j - n)", op("-", i, op("-", j, n))),
        ("i/j/n", op("/", op("/", i, j), n)),
        ("i/j*n", op("*", op("/", i, j), n)),
        ("i mod 3*n", op("*", op("mod", i, number(3)), n)),
        ("2^3^2", op("^", number(2), op("^", number(3), number(2)))),
        ("-j^2", op("neg", op("^", j, number(2)))),
        ("(-j)^2", op("^", op("neg", j), number(2))),
        ("2^-j", op("^", number(2), op("neg", j))),
        ("i - -j", op("-", i, op("neg", j))),
        ("--j", op("neg", op("neg", j))),
        ("-i*j", op("*", op("neg", i), j)),
        ("1.5*j", op("*", number("3/2"), j)),
        ("007", number(7)),
        ("pi", Pi()),
        ("min(i, j, n)", op("min", i, j, n)),
        ("exp(-ln(n))", op("exp", op("neg", op("ln", n)))),
        ("s(i,j)", InputAt("s", ("i", "j"))),
        ("k(i)", InputAt("k", ("i",))),
        ("2*[selected]", op("*", number(2), op("iverson", Selected()))),
        ("[j = i] + 1", op("+", op("iverson", op("=", j, i)), number(1))),
        (" i\n+\t\r\n j ", op("+", i, j)),
    ],
)
def test_a_number_is_read_by_the_usual_precedence(text: str, meaning: Expr) -> None:
    assert expr(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("phi(j) or psi(j) and phi(j)", op("or", phi, op("and", psi, phi))),
        ("not phi(j) and psi(j)", op("and", op("not", phi), psi)),
        ("not (phi(j) and psi(j))", op("not", op("and", phi, psi))),
        ("not not phi(j)", op("not", op("not", phi))),
        ("not i < j", op("not", op("<", i, j))),
        ("phi(j) or psi(j) or phi(j)", op("or", op("or", phi, psi), phi)),
        ("i + 1 <= j*2", op("<=", op("+", i, number(1)), op("*", j, number(2)))),
        ("j mod 2 = 1", op("=", op("mod", j, number(2)), number(1))),
        ("phi(j) = psi(j)", op("=", phi, psi)),
        ("phi(j) != true", op("!=", phi, Truth(True))),
        ("(i < j) = phi(j)", op("=", op("<", i, j), phi)),
    ],
)
def test_a_boolean_is_read_by_the_usual_precedence(text: str, meaning: Expr) -> None:
    assert expr(text) == meaning


def test_a_chain_of_comparisons_is_the_conjunction_of_its_links() -> None:
    assert expr("1 <= j < i") == op("and", op("<=", number(1), j), op("<", j, i))
    assert expr("1 <= j < i != n") == op("and", expr("1 <= j < i"), op("!=", i, n))


def test_a_chain_is_checked_link_by_link() -> None:
    assert "expects numbers" in refusal("i < j = phi(j)").message


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", Type.INTEGER), ("0.5", Type.REAL), ("2.0", Type.INTEGER), ("i*j - n^2", Type.INTEGER),
        ("i/j", Type.REAL), ("n^-1", Type.REAL), ("2^(-j)", Type.REAL), ("c*j", Type.REAL), ("pi", Type.REAL),
        ("[phi(j)]", Type.INTEGER), ("max(i, j)", Type.INTEGER), ("max(i, c)", Type.REAL), ("abs(i - j)", Type.INTEGER),
        ("j mod m", Type.INTEGER), ("k(i)", Type.INTEGER), ("v(j)", Type.REAL), ("s(i,j)", Type.REAL),
        ("sqrt(4)", Type.REAL), ("i < j", Type.BOOLEAN), ("phi(i)", Type.BOOLEAN), ("true", Type.BOOLEAN),
        ("not selected", Type.BOOLEAN),
    ],
)  # fmt: skip
def test_an_expression_has_a_type(text: str, kind: Type) -> None:
    assert parse(text, SCOPE).type is kind


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "expected an expression, found nothing"),
        ("  \n", 0, "expected an expression, found nothing"),
        ("i +", 3, "expected an operand (a number, a name or '('), found the end"),
        ("(i + j", 6, "expected an operator or ')', found the end"),
        ("i + j)", 5, "expected an operator, found ')'"),
        ("[phi(j)", 7, "expected an operator or ']', found the end"),
        ("min(i j)", 6, "expected an operator or ')' or ',', found 'j'"),
        ("2 i", 2, "expected an operator, found 'i'"),
        ("2i", 1, "expected an operator, found 'i'"),
        ("i j", 2, "expected an operator, found 'j'"),
        ("* i", 0, "expected an operand (a number, a name or '('), found '*'"),
        ("1e5", 1, "expected an operator, found 'e5'"),
        (".5", 0, "unexpected character '.'"),
        ("i == j", 3, "found '=' (write =)"),
        ("i ** j", 3, "found '*' (write ^)"),
        ("phi(j) && psi(j)", 7, "unexpected character '&' (write and)"),
        ("i ≤ j", 2, "unexpected character '≤' (write <=)"),
        ("j % 2", 2, "unexpected character '%' (write mod)"),
        ("i; j", 1, "unexpected character ';'"),
        ("__import__('os')", 11, "unexpected character"),
        ("i.real", 1, "unexpected character '.'"),
        ("j\x00", 1, "unexpected character '\\x00'"),
        ("\u202ej", 0, "unexpected character '\\u202e'"),
        ("і", 0, "unexpected character"),  # a Cyrillic letter
        ("x + 1", 0, "unknown name 'x' (known here: n, i, j, c, m,"),
        ("1 + ph(j)", 4, "did you mean 'phi'?"),
        ("phi", 0, "the input 'phi' needs a position, such as phi(j)"),
        ("s", 0, "the input 's' needs a position, such as s(i,j)"),
        ("phi(n)", 0, "expected phi(i) or phi(j)"),
        ("phi(j+1)", 0, "expected phi(i) or phi(j)"),
        ("phi(i,j)", 0, "expected phi(i) or phi(j)"),
        ("s(j,i)", 0, "expected s(i,j)"),
        ("s(j)", 0, "expected s(i,j)"),
        ("n(j)", 0, "unknown name 'n'"),
        ("exp", 0, "unknown name 'exp'"),
        ("exp(i, j)", 0, "'exp' expects one argument, found 2"),
        ("max(i)", 0, "'max' expects two or more arguments, found 1"),
        ("max()", 4, "expected an operand"),
        ("phi(j) + 1", 7, "'+' expects numbers, found a Boolean (write [P] for the number 1 if P, else 0)"),
        ("i and j", 2, "'and' expects Booleans (a comparison, or a Boolean input such as phi(j)), found an integer"),
        ("not c", 0, "found a real number"),
        ("[i]", 0, "[...] expects Booleans"),
        ("phi(j) < psi(j)", 7, "'<' expects numbers"),
        ("phi(j) = 1", 7, "'=' expects numbers"),
        ("c mod 2", 2, "'mod' expects two integers"),
        ("j mod 0", 2, "'mod' expects a positive modulus, found 0"),
        ("j mod (-2)", 2, "'mod' expects a positive modulus, found -2"),
        ("1/0", 1, "division by zero"),
        ("j/(1 - 1)", 1, "division by zero"),
        ("ln(0)", 0, "'ln' expects a positive number, found 0"),
        ("sqrt(-1)", 0, "'sqrt' expects a number that is not negative, found -1"),
        ("0^-1", 1, "0 has no negative power"),
        ("j^j", 1, "an exponent that is not a constant needs a positive constant as its base"),
        ("(-2)^j", 4, "needs a positive constant as its base"),
        ("j^0.5", 1, "an exponent must be a whole number from -64 to 64"),
        ("j^65", 1, "an exponent must be a whole number from -64 to 64"),
    ],
)
def test_a_refusal_says_where_and_what_was_expected(text: str, position: int, message: str) -> None:
    error = refusal(text)
    assert message in error.message
    assert error.position == position
    assert error.text == text


def test_names_are_those_of_the_scope() -> None:
    length = Scope({"n": Type.INTEGER}, {"phi": (Type.BOOLEAN, 1)})
    assert "unknown name 'j' (known here: n)" in refusal("j", length).message
    assert "the input 'phi' cannot be used here (known here: n)" in refusal("phi(n)", length).message
    assert "the input 'phi' cannot be used here" in refusal("phi", length).message
    assert "unknown name 'selected'" in refusal("[selected]", length).message
    assert "known here: none" in refusal("x", Scope()).message


def test_the_excerpt_points_at_the_place_in_a_long_text() -> None:
    excerpt = refusal("1 + " * 100 + "? + " + "1 + " * 50 + "1").excerpt()
    assert excerpt is not None
    shown, caret = excerpt.splitlines()
    assert shown[caret.index("^")] == "?"
    assert len(shown) < 90


def test_the_excerpt_cannot_disturb_a_terminal() -> None:
    excerpt = refusal("i + \x1b[31m").excerpt()
    assert excerpt is not None and "\x1b" not in excerpt


class TestLimits:
    """Each limit: what lies within is read, what lies beyond is refused by a message that names the limit."""

    def test_length(self) -> None:
        within = "1" + " " * (LONGEST_TEXT - 1)
        assert expr(within) == number(1)
        assert f"at most {LONGEST_TEXT} characters, found {LONGEST_TEXT + 1}" in refusal(within + " ").message

    def test_digits(self) -> None:
        assert expr("9" * LONGEST_NUMBER) == number("9" * LONGEST_NUMBER)
        assert f"at most {LONGEST_NUMBER} digits" in refusal("9" * (LONGEST_NUMBER + 1)).message

    @pytest.mark.parametrize("unit", ["-{}", "not {}", "[{}]", "abs({})", "1 + ({})"])
    def test_depth(self, unit: str) -> None:
        inner = "phi(j)" if unit == "not {}" else "j"
        deep = inner
        for _ in range(DEEPEST + 1):
            deep = unit.format(deep) if unit != "[{}]" else f"[{deep} = 1]"
        assert f"nested at most {DEEPEST} deep" in refusal(deep).message

    def test_parentheses_are_free(self) -> None:
        assert expr("(" * 1_900 + "j" + ")" * 1_900) == j

    def test_a_sum_of_a_hundred_terms_is_the_longest(self) -> None:
        assert parse(" + ".join(["j"] * DEEPEST), SCOPE).type is Type.INTEGER
        refusal(" + ".join(["j"] * (DEEPEST + 1)))

    @pytest.mark.parametrize("text", ["(j^8)^8", "j^64", "j^32*i^32"])
    def test_a_degree_of_64_is_the_largest(self, text: str) -> None:
        assert parse(text, SCOPE).type is Type.INTEGER
        assert "the degree of an expression must be at most 64" in refusal(f"({text})*n").message

    def test_powers_of_powers(self) -> None:
        assert "whole number from -64 to 64" in refusal("2^(10^9)").message
        assert "degree" in refusal("(((j^9)^9)^9)^9").message
        assert "at most 1000 bits" in refusal("((2^9)^9)^13").message

    def test_constants(self) -> None:
        big = "*".join(["9" * LONGEST_NUMBER] * 7)
        assert parse(big, SCOPE).type is Type.INTEGER
        assert "at most 1000 bits" in refusal(f"{big}*{'9' * LONGEST_NUMBER}").message

    @pytest.mark.parametrize(
        "text", ["(1 + i + j)^19", "(i + j + n + c)^9", "*".join(["(1 + i)"] * 8), "sqrt(i + j + n)^20"]
    )
    def test_terms(self, text: str) -> None:
        assert "at most 200 terms" in refusal(text).message

    @pytest.mark.parametrize("text", ["exp(exp(n))", "2^(2^n)", "exp(2^n)", "sin(exp(n))", "exp(-ln(exp(n)))"])
    def test_exponentials_do_not_nest(self, text: str) -> None:
        assert "must not contain an exponential" in refusal(text).message

    @pytest.mark.parametrize("text", ["exp(-n)^3*exp(n)", "ln(1 + exp(n))", "exp(sin(n))", "max(2^n, exp(j))"])
    def test_exponentials_side_by_side(self, text: str) -> None:
        assert parse(text, SCOPE).type is Type.REAL

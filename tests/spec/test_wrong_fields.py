"""For every field of a file: what is said where its value is wrong, where it is missing, where it is unknown."""

from __future__ import annotations

import pytest

from tests.spec.files import FILE, FULL, changed, line_of, refusal

# The field, what its value is replaced by, and a part of the message.
WRONG_VALUES = [
    ("name", '"Mine"', "expected a name of lower-case letters, digits and hyphens, such as 'strict-until'"),
    ("name", '"../mine"', "expected a name of lower-case letters"),
    ("name", '"mine\\n"', "expected a name of lower-case letters"),
    ("name", f'"{"a" * 61}"', "expected a name of lower-case letters"),
    ("name", "7", "expected a text in quotes, found an integer"),
    ("title", "7.5", "expected a text in quotes, found a float"),
    ("title", '"\\u001b[31m"', "expected printable text, found the character U+001B"),
    ("title", '"\\u202e"', "expected printable text, found the character U+202E"),
    ("about", f'"{"a" * 501}"', "expected at most 500 characters, found 501"),
    ("source", '["a"]', "expected a text in quotes, found an array"),
    ("requires", '"n"', "expected a Boolean, found an integer"),
    ("requires", '"phi(n)"', "the input 'phi' cannot be used here"),
    ("inputs.phi", '"Boolean"', 'expected "boolean", "integer in 0..n", "real in 0..1" or "score", found "Boolean"'),
    ("inputs.k", '"integer in 0..m"', "unknown name 'm' (known here: n)"),
    ("inputs.k", '"integer in 0..n/2"', "expected an integer, found a real number"),
    ("inputs.k", '"integer in 0..10^7"', "expected bounds of at most 20 bits"),
    ("inputs.k", '"integer in 0..n*n"', "linear in n with constants of at most 10 bits"),
    ("inputs.k", '"integer in -2000*n..0"', "linear in n with constants of at most 10 bits"),
    ("inputs.k", '"integer"', 'expected "boolean", "integer in 0..n"'),
    ("inputs.v", '"real in 0..2"', 'found "real in 0..2"'),
    ("inputs.v", "true", "expected a text in quotes, found a Boolean"),
    ("parameters.c", '"2"', "expected a table [parameters.c], found a text"),
    ("parameters.c", '{ about = "x" }', "missing field 'default'; expected a text in quotes"),
    ("parameters.c", '{ default = "2", min = "1" }', "unknown field 'min'"),
    ("parameters.c.default", "2", "expected a text in quotes, found an integer"),
    ("parameters.c.default", '"two"', "expected a rational number such as 2, 1.4 or 7/5, found 'two'"),
    ("parameters.c.default", '"1/0"', "expected a rational number"),
    ("parameters.c.default", '"pi"', "expected a rational number"),
    ("parameters.c.default", '"-1"', "c = -1 is outside its domain: expected c > 0"),
    ("parameters.c.domain", '"c"', "expected a Boolean, found a real number"),
    ("parameters.c.domain", '"n > 0"', "unknown name 'n' (known here: c, m)"),
    ("parameters.c.domain", '"c > pi"', "expected a domain of comparisons between rational expressions"),
    ("parameters.c.domain", '"c > 1/(m - 3)"', "expected a domain of comparisons between rational expressions"),
    ("parameters.c.minimum", '"ln(2)"', "expected a rational number"),
    ("parameters.c.about", '"\\u0007"', "expected printable text"),
    ("parameters.m.type", '"int"', 'expected "real" or "integer", found "int"'),
    ("parameters.m.default", '"3/2"', "expected an integer, found '3/2'"),
    ("head.mask", '"causal"', 'expected one of "none", "j <= i", "j < i", "j >= i", "j > i", found "causal"'),
    ("head.select", '"psi(j) or phi"', "the input 'phi' needs a position"),
    ("head.select", '"j"', "expected a Boolean, found an integer"),
    ("head.select", '"selected"', "unknown name 'selected'"),
    ("head.select", '""', "expected an expression, found nothing"),
    ("head.tie", '"left"', 'expected one of "leftmost", "rightmost", "average", "unique", found "left"'),
    ("head.value", '"psi(i)"', "unknown name 'i' (known here: n, c, m, j, phi(j)"),
    ("head.value", '"i"', "unknown name 'i'"),
    ("head.default", "0", "expected a text in quotes, found an integer"),
    ("head.default", '"j"', "unknown name 'j'"),
    ("head.output", '"1 - value"', 'expected "value" or "not value", found "1 - value"'),
    ("head.bos", '"true"', "expected true or false, found a text"),
    ("simulations.one.score", '"[selected]*x"', "unknown name 'x'"),
    ("simulations.one.score", '"selected"', "expected a real number, found a Boolean (write [P] for the number 1 if P"),
    ("simulations.one.temperature", '"1/i"', "unknown name 'i'"),
    ("simulations.one.temperature", '"1/0"', "division by zero"),
    ("simulations.two.score_error", '"[selected]"', "unknown name 'selected'"),
    ("simulations.two.divide_by_sqrt_key_dimension", "1", "expected true or false, found an integer"),
    ("claim.error", "0.25", "expected a text in quotes, found a float"),
    ("claim.error", '"1/4 +"', "expected an operand"),
    ("claim.error", '"n < 1"', "expected a real number, found a Boolean"),
    ("claim.computes", '"phi U"', "expected a formula, found the end"),
    ("claim.computes", '"phi U chi"', "unknown atom 'chi' (the atoms are: phi, psi)"),
    ("claim.computes", '"k(i) + k(j)"', "unknown name 'j' (known here: n, c, m, i, phi(i)"),
]  # fmt: skip


def value_of(field: str) -> str:
    """The text of a field's value in the full file."""
    last = field.rsplit(".", maxsplit=1)[-1]
    if field.startswith("parameters.") and last not in ("c", "m"):
        table = next(line for line in FULL.splitlines() if line.startswith(f"{field.split('.')[1]} = "))
        start = table.index(f"{last} = ") + len(last) + 3
        return next(table[start:end] for end in range(start + 2, len(table)) if table[end - 1] == '"')
    lines = FULL.split("\n")
    header = "" if "." not in field else f"[{field.rpartition('.')[0]}]"
    first = 0 if not header else lines.index(header)
    return next(line.partition(" = ")[2] for line in lines[first:] if line.startswith(f"{last} = "))


def with_value(field: str, value: str) -> str:
    """The full file with another value of one field."""
    added = {"parameters.c.about": 'about = "score scale"', "parameters.m.type": 'type = "integer"'}
    if field in added:
        return changed((added[field], f"{added[field].partition(' = ')[0]} = {value}"))
    lines = FULL.split("\n")
    table, _, key = field.rpartition(".")
    if table.startswith("parameters."):
        at = next(at for at, line in enumerate(lines) if line.startswith(f"{table.split('.')[1]} = "))
        old = value_of(field)
        lines[at] = lines[at].replace(f"{key} = {old}", f"{key} = {value}")
    else:
        first = lines.index(f"[{table}]") if table else 0
        at = next(at for at in range(first, len(lines)) if lines[at].startswith(f"{key} = "))
        lines[at] = f"{key} = {value}"
    return "\n".join(lines)


@pytest.mark.parametrize(("field", "value", "message"), WRONG_VALUES)
def test_a_wrong_value_is_named_with_its_line_and_field(field: str, value: str, message: str) -> None:
    text = with_value(field, value)
    assert text != FULL
    error = refusal(text)
    assert message in error.message
    assert error.file == FILE
    # A fault may lie in a field within the one that was changed, or in the table around it.
    assert error.field is not None
    assert f"{error.field}.".startswith(f"{field}.") or f"{field}.".startswith(f"{error.field}.")
    changed_lines = zip(FULL.split("\n"), text.split("\n"), strict=True)
    assert error.line == next(at for at, (old, new) in enumerate(changed_lines, 1) if old != new)
    assert str(error).startswith(f"{FILE}:{error.line}: {error.field}")


REQUIRED = [
    ("name", "", 'name = "mine"\n'),
    ("select", "head", 'select = "psi(j) or not phi(j)"\n'),
    ("mask", "head", 'mask = "j >= i"\n'),
    ("tie", "head", 'tie = "leftmost"\n'),
    ("value", "head", 'value = "psi(j)"\n'),
    ("score", "simulations.one", 'score = "c*(2*n*[selected] - j)"\n'),
    ("temperature", "simulations.one", 'temperature = "1"\n'),
    ("error", "claim", 'error = "1/4"\n'),
]


@pytest.mark.parametrize(("key", "table", "line"), REQUIRED)
def test_a_missing_field_is_named_with_its_table(key: str, table: str, line: str) -> None:
    text = changed((line, ""))
    error = refusal(text)
    assert error.message == f"missing field '{key}'; expected a text in quotes"
    assert error.field == (table or None)
    assert error.line == (line_of(text, f"[{table}]") if table else None)


@pytest.mark.parametrize("table", ["head", "simulations", "claim"])
def test_a_missing_table_is_named(table: str) -> None:
    lines, kept = [], True
    for line in FULL.splitlines():
        if line.startswith("["):
            kept = not line.startswith(f"[{table}")
        lines += [line] if kept else []
    assert refusal("\n".join(lines)).message == f"missing field '{table}'; expected a table [{table}]"


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        ("title =", "titel =", "titel", "unknown field 'titel'; expected one of name, title,"),
        ("mask =", "masks =", "head.masks", "did you mean 'mask'?"),
        ('temperature = "1"', 'temp = "1"', "simulations.one.temp", "unknown field 'temp'"),
        ("computes =", "computed =", "claim.computed", "did you mean 'computes'?"),
        ("[head]", "[heads]", "heads", "did you mean 'head'?"),
    ],
)
def test_an_unknown_field_is_named_with_what_was_perhaps_meant(old: str, new: str, field: str, message: str) -> None:
    text = changed((old, new))
    error = refusal(text)
    assert message in error.message
    assert error.field == field
    assert error.line == line_of(text, new)

"""Formula to circuit: operators that are short for others are written out, then each subformula becomes a literal."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifier.compile.circuit import FALSE, TRUE, Attention, Builder, Circuit, Literal, negation
from verifier.compile.errors import CompileError
from verifier.compile.operators import SHORT, construction_for, operand_names, simulation_for
from verifier.logic.syntax import TEMPORAL, Atom, Binary, Constant, Formula, Unary, subformulas
from verifier.spec.construction import Construction
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Selected, Truth, fold, subexpressions


def written_out(formula: Formula) -> Formula:
    """The formula without the operators of `SHORT`."""
    done: dict[Formula, Formula] = {}
    for node in subformulas(formula):
        match node:
            case Unary(op, operand):
                inner = done[operand]
                done[node] = SHORT[op](inner) if op in SHORT else _kept(node, Unary(op, inner))
            case Binary(op, left, right):
                done[node] = _kept(node, Binary(op, done[left], done[right]))
            case _:
                done[node] = node
    return done[formula]


def _kept(node: Formula, rebuilt: Formula) -> Formula:
    """The node itself where nothing below it has changed, so that shared parts stay shared."""
    return node if node == rebuilt else rebuilt


def lower(formula: Formula, route: str) -> Circuit:
    """The circuit of a formula without operators of `SHORT`.

    Raises:
        CompileError: a construction of the library is unsuitable.
    """
    builder = Builder()
    literals: dict[Formula, Literal] = {}
    for node in subformulas(formula):
        literals[node] = _literal(builder, node, literals, route)
    return Circuit(tuple(builder.nodes), tuple(builder.meanings), literals, literals[formula])


def _literal(builder: Builder, node: Formula, literals: Mapping[Formula, Literal], route: str) -> Literal:
    match node:
        case Atom():
            return builder.token(node)
        case Constant(value):
            return TRUE if value else FALSE
        case Unary("!", operand):
            return ~literals[operand]
        case Binary("&", left, right):
            return builder.conjunction((literals[left], literals[right]), node)
        case Binary("|", left, right):
            neither = Binary("&", negation(left), negation(right))
            return ~builder.conjunction((~literals[left], ~literals[right]), neither)
        case Binary("->", left, right):
            broken = Binary("&", left, negation(right))
            return ~builder.conjunction((literals[left], ~literals[right]), broken)
        case Binary("<->", left, right):
            return builder.equivalence(literals[left], literals[right], node)
    assert isinstance(node, Unary | Binary) and node.op in TEMPORAL
    return _head(builder, node, literals, route)


def _head(builder: Builder, node: Unary | Binary, literals: Mapping[Formula, Literal], route: str) -> Literal:
    construction = construction_for(node.op)
    operands = dict(zip(operand_names(construction), node.operands, strict=True))
    simulation = simulation_for(construction, route)
    head = construction.head
    assert head.select is not None
    selected = _boolean(builder, construction, head.select.expr, operands, literals)
    conditions = [
        part.operands[0]
        for part in subexpressions(simulation.score.expr)
        if isinstance(part, Apply) and part.operator == "iverson"
    ]
    booleans = {
        condition: selected
        if isinstance(condition, Selected)
        else _boolean(builder, construction, condition, operands, literals)
        for condition in conditions
    }
    value = _boolean(builder, construction, head.value.expr, operands, literals)
    meaning = negation(node) if head.negated else node
    literal = builder.node(Attention(construction.name, tuple(booleans.items()), selected, value), meaning)
    return ~literal if head.negated else literal


def _boolean(
    builder: Builder,
    construction: Construction,
    expr: Expr,
    operands: Mapping[str, Formula],
    literals: Mapping[Formula, Literal],
) -> Literal:
    """The literal of a Boolean expression over inputs, with the operands for the inputs."""
    template = as_formula(construction, expr, {name: Atom(name) for name in operands})
    instances: dict[Formula, Formula] = {}
    known: dict[Formula, Literal] = {}
    for part in subformulas(template):
        match part:
            case Atom(name):
                instance = operands[name]
            case Unary(op, operand):
                instance = Unary(op, instances[operand])
            case Binary(op, left, right):
                instance = Binary(op, instances[left], instances[right])
            case _:
                instance = part
        instances[part] = instance
        found = literals.get(instance)
        known[instance] = _literal(builder, instance, known, "") if found is None else found
    return known[instances[template]]


def as_formula(construction: Construction, expr: Expr, operands: Mapping[str, Formula]) -> Formula:
    """A Boolean expression over inputs at one position as a formula over the operands.

    Raises:
        CompileError: it depends on the position itself.
    """

    def leaf(found: Leaf) -> Formula:
        if isinstance(found, InputAt) and len(found.positions) == 1:
            return operands[found.name]
        if isinstance(found, Truth):
            return Constant(found.value)
        raise CompileError(f"the construction '{construction.name}' selects or reads by position")

    def apply(operator: str, parts: tuple[Formula, ...]) -> Formula:
        if operator not in _CONNECTIVES:
            raise CompileError(f"the construction '{construction.name}' compares, by '{operator}'")
        return _CONNECTIVES[operator](*parts)

    return fold(expr, leaf, apply)


_CONNECTIVES: Mapping[str, Callable[..., Formula]] = {
    "not": lambda operand: Unary("!", operand),
    "and": lambda left, right: Binary("&", left, right),
    "or": lambda left, right: Binary("|", left, right),
    "=": lambda left, right: Binary("<->", left, right),
    "!=": lambda left, right: Unary("!", Binary("<->", left, right)),
}

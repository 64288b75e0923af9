"""The shapes of heads that the templates know."""

from __future__ import annotations

from verifier.spec.construction import Construction
from verifier.spec.syntax import Apply, Expr, Variable, mentions

KEY = Variable("j")


def lookup_position(construction: Construction) -> Expr | None:
    """The position E where the selection is `j = E` and E does not depend on the key; else None."""
    select = construction.head.select
    if select is None or not isinstance(select.expr, Apply) or select.expr.operator != "=":
        return None
    left, right = select.expr.operands
    if right == KEY:
        left, right = right, left
    return right if left == KEY and not mentions(right, "j") else None

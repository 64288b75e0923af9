"""Random formulas and strings over the alphabet abc."""

from __future__ import annotations

from hypothesis import strategies as st

from verifier.logic.syntax import BINARY, UNARY, Atom, Binary, Constant, Formula, Unary

ALPHABET = "abc"

leaves: st.SearchStrategy[Formula] = st.one_of(
    st.builds(Atom, st.sampled_from(ALPHABET)), st.builds(Constant, st.booleans())
)


def formulas(max_leaves: int = 8) -> st.SearchStrategy[Formula]:
    def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(
            st.builds(Unary, st.sampled_from(UNARY), inner),
            st.builds(Binary, st.sampled_from(BINARY), inner, inner),
        )

    return st.recursive(leaves, grow, max_leaves=max_leaves)


def words(max_size: int = 6) -> st.SearchStrategy[str]:
    return st.text(alphabet=ALPHABET, min_size=1, max_size=max_size)

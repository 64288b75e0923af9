"""Strings over an alphabet, as one Boolean array per symbol."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from verifier.logic.errors import WordError, describe, printable

_MOST_SHOWN_SYMBOLS = 30


def check_alphabet(alphabet: Collection[str]) -> None:
    """Check that an alphabet is one or more distinct symbols, each a single character.

    Raises:
        WordError: naming the symbol that is empty, too long or there twice.
    """
    if not alphabet:
        raise WordError("expected an alphabet of at least one symbol, found none")
    seen: set[str] = set()
    for symbol in alphabet:
        if len(symbol) != 1:
            raise WordError(f"expected symbols of one character in the alphabet, found {symbol!a}")
        if symbol in seen:
            raise WordError(f"the symbol {describe(symbol)} stands twice in the alphabet")
        seen.add(symbol)


def check_word(word: str, alphabet: Collection[str]) -> None:
    """Check that a string is not empty and has symbols of the alphabet only.

    Args:
        word: the string.
        alphabet: its symbols, as `check_alphabet` asks for them.

    Raises:
        WordError: naming the first symbol that is not in the alphabet, and its place.
    """
    if not word:
        raise WordError("expected a string of at least one symbol, found the empty string", word)
    symbols = frozenset(alphabet)
    for position, symbol in enumerate(word):
        if symbol not in symbols:
            shown = " ".join(map(printable, list(alphabet)[:_MOST_SHOWN_SYMBOLS]))
            more = " ..." if len(alphabet) > _MOST_SHOWN_SYMBOLS else ""
            message = f"unknown symbol {describe(symbol)} at position {position + 1} of the string"
            raise WordError(f"{message} (the alphabet is: {shown}{more})", word, position)


def inputs(words: Sequence[str], alphabet: Collection[str]) -> Mapping[str, NDArray[np.bool_]]:
    """Where each symbol stands.

    Args:
        words: one or more strings of the same length n ≥ 1.
        alphabet: their symbols, as `check_alphabet` asks for them.

    Returns:
        For each symbol a Boolean array of shape [len(words), n], true where the string has that symbol.

    Raises:
        WordError: the alphabet or a string is wrong, or the lengths differ.
    """
    check_alphabet(alphabet)
    if not words:
        raise WordError("expected at least one string, found none")
    length = len(words[0])
    for word in words:
        if len(word) != length:
            message = f"expected strings of the same length, found lengths {length} and {len(word)}"
            raise WordError(message, word)
    codes = _codes(words, length)
    planes = {symbol: codes == ord(symbol) for symbol in alphabet}
    known = np.isin(codes, [ord(symbol) for symbol in alphabet]).all(axis=1)
    if length == 0 or not known.all():
        check_word(words[int(np.argmin(known)) if length else 0], alphabet)
    return planes


def _codes(words: Sequence[str], length: int) -> NDArray[np.uint32]:
    """The code points, of shape [len(words), length]; lone surrogates included."""
    raw = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32, copy=False).reshape(len(words), length)

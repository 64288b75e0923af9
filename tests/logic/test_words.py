from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

from verifier.logic import WordError
from verifier.logic.words import check_alphabet, check_word, inputs


def test_one_array_per_symbol() -> None:
    planes = inputs(["aba", "cab"], "abc")
    assert list(planes) == ["a", "b", "c"]
    assert planes["a"].tolist() == [[True, False, True], [False, True, False]]
    assert planes["b"].tolist() == [[False, True, False], [False, False, True]]
    assert planes["c"].tolist() == [[False, False, False], [True, False, False]]
    assert all(plane.dtype == np.bool_ for plane in planes.values())


@pytest.mark.parametrize("symbol", ["\x00", " ", "\ud800", "\U0001f600", "é"])
def test_any_character_can_be_a_symbol(symbol: str) -> None:
    planes = inputs([f"a{symbol}", f"{symbol}{symbol}"], f"a{symbol}")
    assert planes[symbol].tolist() == [[False, True], [True, True]]
    assert planes["a"].tolist() == [[True, False], [False, False]]


@pytest.mark.parametrize(
    ("word", "position", "message"),
    [
        ("abz", 2, "unknown symbol 'z' at position 3 of the string (the alphabet is: a b)"),
        ("a b", 1, "unknown symbol ' ' at position 2 of the string (the alphabet is: a b)"),
        ("ab\n", 2, "unknown symbol U+000A at position 3 of the string (the alphabet is: a b)"),
        ("\u0430b", 0, "unknown symbol U+0430 CYRILLIC SMALL LETTER A at position 1 of the string "
                       "(the alphabet is: a b)"),
        ("b\ud800", 1, "unknown symbol U+D800 at position 2 of the string (the alphabet is: a b)"),
        ("", None, "expected a string of at least one symbol, found the empty string"),
    ],
)  # fmt: skip
def test_wrong_strings(word: str, position: int | None, message: str) -> None:
    with pytest.raises(WordError) as one:
        check_word(word, "ab")
    with pytest.raises(WordError) as several:
        inputs(["ab"[: len(word)].ljust(len(word), "a"), word], "ab")
    for error in (one.value, several.value):
        assert (str(error), error.word, error.position) == (message, word, position)
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.word, again.position) == (message, word, position)


def test_right_strings() -> None:
    check_word("abba", "ab")
    check_word("abba", {"a", "b"})
    check_alphabet("ab")
    check_alphabet(["x"])


def test_the_excerpt_points_at_the_symbol() -> None:
    with pytest.raises(WordError) as caught:
        check_word("a\x00b\x00?", ["a", "b", "\x00"])
    assert caught.value.excerpt() == "a\\x00b\\x00?\n          ^"
    with pytest.raises(WordError) as caught:
        check_word("", "a")
    assert caught.value.excerpt() is None


@pytest.mark.parametrize(
    ("alphabet", "message"),
    [
        ("", "expected an alphabet of at least one symbol"),
        ("aba", "the symbol 'a' stands twice"),
        (["a", "bc"], "found 'bc'"),
        (["a", ""], "found ''"),
    ],
)
def test_wrong_alphabets(alphabet: str | list[str], message: str) -> None:
    with pytest.raises(WordError, match=message):
        check_alphabet(alphabet)
    with pytest.raises(WordError, match=message):
        inputs(["a"], alphabet)


def test_wrong_batches() -> None:
    with pytest.raises(WordError, match="found lengths 2 and 1"):
        inputs(["ab", "a"], "ab")
    with pytest.raises(WordError, match="at least one string"):
        inputs([], "ab")


def test_long_alphabets_are_shortened_in_messages() -> None:
    with pytest.raises(WordError) as caught:
        check_word("!", [chr(0x4E00 + index) for index in range(5_000)])
    assert len(str(caught.value)) < 400


def test_large_batches_are_fast() -> None:
    many = ["abcabcab"] * 65_536
    long = ["abcd" * 25_000] * 4
    start = time.perf_counter()
    assert inputs(many, "abc")["a"].shape == (65_536, 8)
    assert inputs(long, "abcd")["d"].shape == (4, 100_000)
    assert time.perf_counter() - start < 1

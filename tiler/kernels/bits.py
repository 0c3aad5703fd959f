"""Operate on words of 64 bits: in Python here, and by machine instructions in compiled code (compiler.py)."""

from __future__ import annotations

from typing import Any


def trailing_zeros(word: Any) -> Any:
    """The position of the lowest bit that is set; the word must not be zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


def population(word: Any) -> Any:
    """The number of bits that are set."""
    return int(word).bit_count()

"""Operate on words of 64 bits: in Python here, and by machine instructions in compiled code (compiler.py)."""

from __future__ import annotations

from typing import Any


def trailing_zeros(word: Any) -> Any:
    """The position of the lowest bit that is set; not to be asked of zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


def population(word: Any) -> Any:
    """How many bits are set."""
    return int(word).bit_count()

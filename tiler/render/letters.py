"""Choose letters for the placements of a tiling, where borders alone do not show which cells belong together."""

from __future__ import annotations

import string
from collections.abc import Sequence

from tiler.model.lattice import Lattice
from tiler.model.tile import Placement
from tiler.model.wrap import FLAT, Wrap
from tiler.render.grid import order, touching

# All letters are one column wide: first ASCII, then Latin letters with accents.
_ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "".join(map(chr, range(0x100, 0x180)))
_PLAIN = len(string.ascii_letters)


def assign(lattice: Lattice, solution: Sequence[Placement], wrap: Wrap = FLAT) -> list[str]:
    """A letter for every placement, so that placements that share a side differ.

    It is the last letter of the tile's name (5F, 5I, ...) if these all differ; else A, B, ... if there are enough letters. Else
    letters are used again, but not for neighbours.
    """
    named = [placement.tile[-1:] for placement in solution]
    if len(set(named)) == len(solution) and all(name.isascii() and name.isalpha() for name in named):
        return named
    if len(solution) <= _PLAIN:
        ranks = sorted(range(len(solution)), key=lambda number: min(solution[number].cells))
        return [letter for _, letter in sorted(zip(ranks, _ALPHABET, strict=False))]
    around = touching(lattice, solution, wrap)
    letters = [""] * len(solution)
    for rank, number in enumerate(order(solution, around)):
        taken = {letters[other] for other in around[number]}
        letter = _ALPHABET[rank % _PLAIN]
        if letter in taken:
            turned = (_ALPHABET[(rank + step) % _PLAIN] for step in range(_PLAIN))
            spare = (letter for letter in _ALPHABET if letter not in taken)
            letter = next((letter for letter in turned if letter not in taken), None) or next(spare, "?")
        letters[number] = letter
    return letters

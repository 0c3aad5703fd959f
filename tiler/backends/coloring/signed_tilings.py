"""Find signed tilings, which show that no colouring of any kind can prove that there is no tiling.

A signed tiling is a set of placements with whole factors, also negative ones, that add up to 1 on every cell. Everything that a
colouring says about tilings also holds for signed tilings, so no colouring excludes a tiling where a signed tiling exists.
elimination.py has the theorem, checker.py the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tiler.backends.coloring.elimination import TilingGroup
from tiler.cover.remainder import Remainder
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.question.certificate import Placed

SCHEMA = "tiler-signed-tiling-1"


def signed_tiling(remainder: Remainder, counts: Sequence[int], tick: Callable[[], None]) -> dict[Placed, int] | None:
    """A signed tiling of a whole board with these copies of each tile; None if there is none.

    Placements with factor 0 are left out; the others are those that elimination happens upon, not the fewest.
    """
    found = TilingGroup(remainder, tick, track=True).signed_tiling(counts)
    if found is None:
        return None
    return {(remainder.tile_of[o], *remainder.cells_of[o]): factor for o, factor in found.items()}


def to_json(instance: Instance, signed: Mapping[Placed, int]) -> dict[str, Any]:
    """A signed tiling ready for `json.dumps`: a list of [factor, placement], placements as in certificates."""
    pairs = [[factor, list(placed)] for placed, factor in sorted(signed.items())]
    return {"schema": SCHEMA, "instance": instance.name, "digest": instance.digest, "signed": pairs}


def of_json(data: Mapping[str, Any]) -> dict[Placed, int]:
    """A signed tiling from what `to_json` gives; InputError if it is none."""
    pairs = data.get("signed")
    wrong = InputError("'signed' must be a list of [factor, placement]")
    if not isinstance(pairs, list):
        raise wrong
    found: dict[Placed, int] = {}
    for pair in pairs:
        match pair:
            case [int(factor), [*numbers]] if all(type(number) is int for number in numbers):
                found[tuple(numbers)] = found.get(tuple(numbers), 0) + factor
            case _:
                raise wrong
    return found

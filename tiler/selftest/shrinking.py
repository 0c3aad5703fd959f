"""Make a problem about which a solver is wrong smaller, as long as the solver is still wrong about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from typing import Any

from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.paint import BARE, PLAIN
from tiler.selftest.examples import Example

SECONDS = 5.0  #: the time for all smaller problems together

#: What an instance has without each of its settings. Cells that may stay open and colours go together with others.
_USUAL = {
    field.name: field.default
    for field in fields(Instance)
    if field.compare and field.default is not MISSING and field.name not in ("lattice", "optional", "groups", "ground")
}


def smaller_ones(
    example: Example, wrong_about: Callable[[Example], str], seconds: float = SECONDS
) -> Iterator[tuple[Example, str]]:
    """Smaller and smaller problems, each with what is wrong in the answer to it, until the answers to all problems that are one
    step smaller are right, or the seconds are over. `wrong_about` returns an empty text for a right answer."""
    end = time.monotonic() + seconds
    steps = one_step_smaller(example.instance)
    while time.monotonic() < end and (instance := next(steps, None)) is not None:
        made = Example.of(instance)
        wrong = "" if made is None else wrong_about(made)
        if made is not None and wrong:
            yield made, wrong
            steps = one_step_smaller(instance)


def one_step_smaller(instance: Instance) -> Iterator[Instance]:
    """The problems with one thing less: a tile, a setting, a bound, or a cell of the board."""
    tiles = instance.tiles
    fewer = [(*tiles[:number], *tiles[number + 1 :]) for number in range(len(tiles)) if len(tiles) > 1]
    bare = tuple(replace(tile, paint=PLAIN) for tile in tiles)
    free = [
        (*tiles[:number], replace(tile, at_least=0, at_most=None), *tiles[number + 1 :])
        for number, tile in enumerate(tiles)
        if tile.at_least or tile.at_most is not None
    ]
    changes: list[dict[str, Any]] = [
        *({"tiles": some} for some in fewer),
        {"tiles": bare, "ground": BARE},
        {"optional": frozenset(), "open": None, "groups": ()},
        *({name: usual} for name, usual in _USUAL.items()),
        *({"tiles": some} for some in free),
        *({"board": instance.board - {cell}} for cell in sorted(instance.board) if len(instance.board) > 1),
    ]
    for change in changes:
        board = change.get("board", instance.board)
        kept = {"optional": instance.optional & board, "ground": instance.ground.on(board)}
        with suppress(InputError):  # It makes no sense without that: a constraint may name it, for example.
            made = replace(instance, **{**kept, **change})
            if made != instance:
                yield made

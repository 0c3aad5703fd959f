"""Ask how the pieces of a tiling come apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tiler.ask.features.feature import Feature
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.process.cancellation import StopCheck, never_stop

if TYPE_CHECKING:
    from tiler.apps.puzzles.apart.disassembly import Disassembly


def refusal(instance: Instance) -> str | None:
    """The reason why tilings of an instance cannot be taken apart; None if they can."""
    from tiler.apps.puzzles.apart import distances

    if instance.wrap:
        return "a board that is wrapped has no space around it"
    return distances.refusal(instance.lattice)


def disassembly_of(
    instance: Instance, tiling: Sequence[Placement], *, shortest: bool = True, check_stop: StopCheck = never_stop
) -> Disassembly:
    """How the pieces of a tiling come apart, numbered as they come in it; see `take_apart`. BadOption where that makes no sense.

    Tiles that the instance names `together` may stay so.
    """
    from tiler.apps.puzzles.apart.search import take_apart

    why = refusal(instance)
    if why:
        raise BadOption(why)
    numbers = [instance.number_of(placement.tile) for placement in tiling]
    groups = [{instance.number_of(name) for name in group} for group in instance.together]
    together = [frozenset(piece for piece, number in enumerate(numbers) if number in group) for group in groups]
    shapes = [placement.cells for placement in tiling]
    return take_apart(instance.lattice, shapes, together, shortest=shortest, check_stop=check_stop)


def _comes_apart(instance: Instance, tiling: Sequence[Placement], check_stop: StopCheck) -> bool:
    return disassembly_of(instance, tiling, shortest=False, check_stop=check_stop).comes_apart


TAKES_APART = Feature("takes-apart", "the pieces come apart by straight moves", refusal, _comes_apart)

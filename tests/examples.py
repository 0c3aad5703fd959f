"""Small instances of every kind with what the brute force knows about them, drawn once and shared by all tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

from brute_force import Tiling, allowed_tilings, orbits
from hypothesis import HealthCheck, Phase, assume, given, settings
from square import is_connected
from strategies import constrained, instances

from tiler.cover.board import BoardCover
from tiler.formats import text
from tiler.model.instance import Instance

#: Any board and tiles, with constraints or without.
plain = instances(max_cells=12, wide=True, words=False)
small = plain | constrained(plain)

#: How many are drawn for each one chosen, and the most tilings.
_DRAWN, _TILINGS = 10, 60


@dataclass(frozen=True)
class Example:
    """An instance with all its tilings, and the number of them up to symmetry."""

    instance: Instance
    tilings: set[Tiling]
    orbits: int

    @cached_property
    def cover(self) -> BoardCover:
        """Listed once for all that are asked."""
        return BoardCover.of(self.instance)

    def __str__(self) -> str:
        """The problem file: what to try by hand when a test fails."""
        return f"\n{text.write(self.instance)}"


@cache
def examples(number: int) -> tuple[Example, ...]:
    """So many instances that differ as much as possible in what they have."""
    left = {instance.digest: (_traits(instance, len(found)), instance, found) for instance, found in _drawn(_DRAWN * number)}
    chosen: list[Example] = []
    seen: dict[tuple[str, str], int] = {}
    while left and len(chosen) < number:
        # The one whose pairs of traits were seen least often so far, and of equals one that takes most searching.
        digest = max(left, key=lambda each: (sum(2.0 ** -seen.get(pair, 0) for pair in left[each][0]), len(left[each][1].board)))
        traits, instance, found = left.pop(digest)
        seen.update({pair: seen.get(pair, 0) + 1 for pair in traits})
        chosen.append(Example(instance, found, len(orbits(instance))))
    return tuple(chosen)


def _drawn(number: int) -> list[tuple[Instance, set[Tiling]]]:
    found: list[tuple[Instance, set[Tiling]]] = []

    @settings(max_examples=number, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(small)
    def draw(instance: Instance) -> None:
        tilings = allowed_tilings(instance)
        assume(len(tilings) <= _TILINGS)
        found.append((instance, tilings))

    draw()
    return found


def _traits(instance: Instance, tilings: int) -> set[tuple[str, str]]:
    """What an instance has, every two things together."""
    if BoardCover.of(instance).refusal():
        return {("no search", "no search")}
    pieces = instance.distinct_tiles
    traits = {
        "in space" if instance.dimension == 3 else "in the plane",
        ("none", "one", "few", "few", "few")[tilings] if tilings < 5 else "many",
        "mirrored" if instance.reflections else "turned only",
        "optional cells" if instance.optional else "all covered",
        f"{len(pieces)} tiles",
        *("at most" for tile in pieces if tile.at_most is not None),
        *("at least" for tile in pieces if tile.at_least),
        *("unlimited" for tile in pieces if tile.at_most is None),
        *("in parts" for tile in pieces if not is_connected(tile.shape)),
        *(each.kind for each in instance.constraints),
    }
    return set(combinations(sorted(traits), 2))

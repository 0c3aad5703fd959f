"""The package's brute force, for tests whose examples hypothesis draws: for one with too many tilings another is drawn."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TypeVar

from hypothesis import currently_in_test_context, reject

from tiler.model.instance import Instance
from tiler.selftest import brute_force
from tiler.selftest.brute_force import Tiling, as_tiling, at_origin, images, obeys, placements, symmetries, turns

__all__ = [
    "Tiling",
    "allowed_tilings",
    "as_tiling",
    "at_origin",
    "images",
    "obeys",
    "orbits",
    "placements",
    "symmetries",
    "tilings",
    "turns",
]

MANY = 500

T = TypeVar("T")


def _some(found: Callable[[Instance, float], T], instance: Instance) -> T:
    try:
        return found(instance, MANY if currently_in_test_context() else inf)
    except brute_force.TooManyError:
        reject()


def tilings(instance: Instance) -> set[Tiling]:
    """See there, as of the others."""
    return _some(brute_force.tilings, instance)


def allowed_tilings(instance: Instance) -> set[Tiling]:
    return _some(brute_force.allowed_tilings, instance)


def orbits(instance: Instance) -> set[frozenset[Tiling]]:
    return _some(brute_force.orbits, instance)

"""Add constraints to a problem, and find its placed pieces: those that lie on the board already, by constraints `place`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tiler.model.constraints import Constraint
from tiler.model.instance import Instance
from tiler.model.tile import Placement


def placing(instance: Instance) -> list[Constraint]:
    """The constraints that place a piece."""
    return [constraint for constraint in instance.constraints if constraint.kind == "place"]


def placed(instance: Instance) -> list[Placement]:
    """The placed pieces."""
    return [Placement(constraint.tile, frozenset(constraint.cells)) for constraint in placing(instance)]


def without_placed(instance: Instance) -> Instance:
    """The problem with an empty board: all its constraints but those that place a piece."""
    return replace(instance, constraints=tuple(each for each in instance.constraints if each.kind != "place"))


def with_constraints(instance: Instance, more: Iterable[Constraint]) -> Instance:
    """The problem with more constraints."""
    return replace(instance, constraints=(*instance.constraints, *more))

"""A feature of tilings, as data: its name, its help, and how it is looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.process.cancellation import StopCheck

#: Whether a tiling of an instance has a feature; calls the check while it looks.
Holds = Callable[[Instance, Sequence[Placement], StopCheck], bool]


@dataclass(frozen=True)
class Feature:
    """A feature by which tilings are filtered."""

    name: str
    help: str
    refusal: Callable[[Instance], str | None]  #: why it makes no sense for an instance, or None
    holds: Holds | None = None  #: asks it of one tiling; without it, the feature is looked for in blocks of tilings (sieves.py)

"""How a running search talks to whoever runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far a running search is."""

    nodes: int = 0
    found: int = 0
    fraction: float | None = None  #: of the search tree, 0 to 1, where the backend can tell


class Events:
    """How a running search talks to its caller; this one is silent."""

    traces: bool = False  #: whether `stack` is wanted
    saves: bool = False  #: whether `restored` and `save` are wanted, from backends that can (`Backend.can_save`)

    def solution(self, options: tuple[int, ...]) -> None:
        """A solution was found: the numbers of its options in the unfiltered cover."""

    def tick(self, progress: Progress) -> bool:
        """Called now and then, many times a second; False means stop."""
        return True

    def stack(self, options: tuple[int, ...]) -> None:
        """The options chosen so far, after every node, from backends that can tell (`Backend.can_trace`)."""

    def restored(self) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """The arrays and the note of an earlier run to go on from, asked for once at the start; None to start afresh."""
        return None

    def save(self, arrays: Mapping[str, Any], note: Mapping[str, Any], *, last: bool) -> None:
        """The arrays that a search works on, and a note; called at every tick, and before the search stops early (`last`)."""

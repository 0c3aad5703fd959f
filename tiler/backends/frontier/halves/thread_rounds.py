"""Let several threads work on ranges that do not depend on each other, in rounds. Between two rounds no thread runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiler.process.threads import together

#: A range: its first number, and the number after its last.
Range: TypeAlias = tuple[int, int]
#: A function that works on a piece from its beginning, for some milliseconds. It returns how far it came, and whether it can go
#: on.
Hand: TypeAlias = Callable[[int, int], tuple[int, bool]]

SECONDS = 0.02  #: seconds of a round
_PIECES = 8  # pieces for each thread, so that all threads end at about the same time


def pieces(weights: NDArray[np.int64], start: int, hands: int) -> deque[Range]:
    """Divide the range from `start` on into pieces of about the same weight, for a number of hands. `weights[i]` is the weight of
    the first i items, for i from 0 to all of them.

    >>> list(pieces(np.array([0, 5, 5, 9, 10]), 100, 1))
    [(100, 104)]
    """
    count = _PIECES * hands if hands > 1 else 1
    inner = np.searchsorted(weights, int(weights[-1]) * np.arange(1, count) // count)
    ends = np.unique(np.concatenate([[0], inner, [len(weights) - 1]])).tolist()
    return deque((start + here, start + there) for here, there in pairwise(ends))


def in_rounds(todo: deque[Range], hands: Sequence[Hand]) -> Iterator[bool]:
    """Let hands work on all pieces, each hand in a thread of its own, with pauses. Yields whether all hands can go on. Whenever
    it pauses, `todo` has the pieces that are left."""
    while todo:
        end = time.perf_counter() + SECONDS
        yield all(together([partial(_work, todo, hand, end) for hand in hands]))


def _work(todo: deque[Range], hand: Hand, end: float) -> bool:
    """Work on one piece after the other, until the round is over."""
    while True:
        try:
            start, stop = todo.popleft()
        except IndexError:
            return True
        done, goes_on = hand(start, stop)
        if done < stop:
            todo.appendleft((done, stop))
        if not goes_on:
            return False
        if time.perf_counter() >= end:
            return True


def is_over(going_on: Iterator[object], seconds: float) -> bool:
    """Take one step of a search, and further ones for some seconds. Returns whether no step is left."""
    end = time.perf_counter() + seconds
    return all(time.perf_counter() < end for _ in going_on)

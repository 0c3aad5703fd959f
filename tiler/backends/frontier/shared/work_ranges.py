"""Divide a range of work into pieces of about the same weight, and let threads work on them in rounds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.process.threads import rounds

#: A range: its first number, and the number after its last.
Range: TypeAlias = tuple[int, int]
#: A function that works on a piece from its beginning, for some milliseconds. It returns how far it came, and whether it can go
#: on.
Worker: TypeAlias = Callable[[int, int], tuple[int, bool]]

_PIECES = 8  # pieces for each thread, so that all threads end at about the same time


def cuts(weights: NDArray[np.int64], parts: int) -> list[int]:
    """Cut items into parts of about the same weight. `weights[i]` is the weight of the first i items, for i from 0 to all of
    them. Returns the first item of each part, and the number of items.

    >>> cuts(np.array([0, 5, 5, 9, 10]), 2)
    [0, 1, 4]
    """
    inner = np.searchsorted(weights, int(weights[-1]) * portable.arange(1, parts) // parts).tolist()
    return [0, *inner, len(weights) - 1]


def pieces(weights: NDArray[np.int64], start: int, threads: int) -> deque[Range]:
    """Divide the range from `start` on into pieces for a number of threads, with the weights of `cuts`.

    >>> list(pieces(np.array([0, 5, 5, 9, 10]), 100, 1))
    [(100, 104)]
    """
    ends = sorted(set(cuts(weights, _PIECES * threads if threads > 1 else 1)))
    return deque((start + begin, start + end) for begin, end in pairwise(ends))


def in_rounds(todo: deque[Range], workers: Sequence[Worker]) -> Iterator[bool]:
    """Let workers work on all pieces, each in a thread of its own, with pauses. Yields whether all workers can go on. Whenever it
    pauses, `todo` has the pieces that are left."""
    stuck: list[Worker] = []
    for _ in rounds([partial(_work, todo, worker, stuck) for worker in workers], len(workers)):
        yield not stuck
        if not todo:
            return


def _work(todo: deque[Range], worker: Worker, stuck: list[Worker], until: float) -> bool:
    """Work on one piece after the other, until the round is over. Returns whether nothing is left for this worker."""
    while True:
        try:
            start, stop = todo.popleft()
        except IndexError:
            return True
        done, goes_on = worker(start, stop)
        if done < stop:
            todo.appendleft((done, stop))
        if not goes_on:
            stuck.append(worker)
            return True
        if time.perf_counter() >= until:
            return False

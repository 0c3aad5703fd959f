"""Find all profiles from the empty to the full board, and the edges between them. An edge is a way to lay a tile; how many copies
are left does not matter here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.halves import kernel_graph as kernel
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.kernel_symmetries import WordMaps
from tiler.backends.frontier.shared.model import Model
from tiler.backends.frontier.tables import kernel_exchange as exchange_kernel
from tiler.backends.frontier.tables.exchange import exchange_of
from tiler.backends.frontier.tables.kernel_tables import WordRules
from tiler.kernels import TerminationCheck, bind, python_time, ready
from tiler.process.threads import is_over, rounds, together

_FITS = 300_000  # fits tried in one call: some 10 ms
_TRANSITIONS = 1 << 15  # transitions that a thread makes before they are entered
_LEAST_PROFILES = 1024  # the arrays have room for at least this number of profiles
_ENTRIES = 200_000  # entries of a table that are made anew between two pauses
_EDGES = 1_000_000  # edges put in order between two pauses
_WORTH_THREADS = 4000  # from this number of profiles at a position on, threads are started: some 6 ms of work
_GROWTH = 4  # arrays grow by a quarter
#: The most bytes that all arrays together take for each profile and edge: the table is at least a quarter full.
_BYTES_OF_PROFILE, _BYTES_OF_EDGE = 16 * (_GROWTH + 1) // _GROWTH + 16, 12 * (_GROWTH + 1) // _GROWTH
_BYTES_OF_THREAD = 4 << 20  # bytes of the budget needed for each thread; with few profiles a thread takes less
MOST_FITS = 1 << (31 - kernel.SYMMETRY_BITS)  #: the number of fits that edges can tell apart

T = TypeVar("T")


class Adjacency(NamedTuple):
    """The edges into each profile, or out of each."""

    starts: NDArray[np.int64]  #: shape (profiles + 1,)
    edges: NDArray[np.int32]  #: shape (edges, 2): the profile at the other end; the number of the change of keys (shared_data.py)


class ProfileGraph(NamedTuple):
    """Profiles in the order of their positions, and the edges between them."""

    first: NDArray[np.int64]  #: shape (cells + 2,): the first profile of each position; the last profile is the full board
    covered: NDArray[np.int64]  #: shape (profiles,): how many cells each profile covers, without pins
    into: Adjacency
    out: Adjacency


class _Calls(NamedTuple):
    """The kernels of kernel_graph.py with their arrays."""

    lead_on: Callable[[int, int, int], None]
    enter: Callable[[int], None]


class Explorer(Budgeted):
    """Finds the graph of a model with profiles of one word each. Run `explore` to its end; then the graph is in `graph`, unless
    the budget did not suffice (`short`)."""

    def __init__(self, model: Model, rules: WordRules, maps: WordMaps, *, budget: int, threads: int = 1) -> None:
        """`budget` is how many bytes the arrays may take together. A graph that needs more is given up; whether it is does not
        depend on the number of threads."""
        super().__init__(model, budget, max(1, min(threads, budget // _BYTES_OF_THREAD)))
        threads = self.threads
        self.helped = False  #: whether threads may be started
        self.graph: ProfileGraph | None = None
        self._rules, self._maps = rules._replace(key_bits=0), maps
        self._exchange = exchange_of(threads, model.cells, max(2 * model.most_fits, _TRANSITIONS // threads))
        room = 2 * model.most_fits + _LEAST_PROFILES
        self._found = [_none(room, model.cells) for _ in range(threads)]
        self._calls: list[_Calls | None] = [None] * threads  # None if arrays have been replaced since.
        first = self._found[0]  # Has the empty board, which need not be in the table: no edge leads to it.
        first.words[0], first.positions[0], first.before[0] = 1, 0, -1
        first.state[kernel.PROFILES], first.last[0], first.counts[0] = 1, 0, 1

    @property
    def bytes(self) -> int:
        """How many bytes the arrays take."""
        return sum(array.nbytes for arrays in (self._exchange, *self._found) for array in arrays)

    @property
    def profiles(self) -> int:
        """How many profiles were found."""
        return sum(int(found.state[kernel.PROFILES]) for found in self._found)

    @property
    def edges(self) -> int:
        """How many edges were found; not all of them lead to the full board."""
        return sum(int(found.state[kernel.EDGES]) for found in self._found)

    def explore(self) -> Iterator[float]:
        """Find the graph position by position. Pauses many times a second, and yields the fraction of the positions done."""
        cells, at = self.model.cells, self._exchange.state[: self.threads, exchange_kernel.ROW]
        begun = []  # By position and thread: the number of the first edge from that position.
        for position in range(cells):
            begun.append([int(found.state[kernel.EDGES]) for found in self._found])
            at[:] = [found.last[position] for found in self._found]
            together_now = self._gets_help(position)
            termination = TerminationCheck("the frontier's search for profiles")
            while (at >= 0).any():
                self._lead_on(position, together_now)
                for _ in self._make_room(together_now):
                    yield position / cells
                self._enter(together_now)
                if _BYTES_OF_PROFILE * self.profiles + _BYTES_OF_EDGE * self.edges > self.budget:
                    self.short = True
                    return
                termination.advance(self.edges, *(-at).tolist())
                yield position / cells
        begun.append([int(found.state[kernel.EDGES]) for found in self._found])
        for _ in self._put_in_order(begun):
            yield 1.0

    def _gets_help(self, position: int) -> bool:
        """Whether several threads work on the profiles of a position."""
        worth = sum(int(found.counts[position]) for found in self._found) >= _WORTH_THREADS
        if not self.helped or self.threads == 1 or not worth:
            return False
        ready(kernel.lead_on, kernel.enter, kernel.enter_anew)
        return True

    def _each(self, is_together: bool, calls: Sequence[Callable[[], T]]) -> list[T]:
        """Make the calls, one for the part of each thread, together or one after the other. Returns their results."""
        return together(calls) if is_together else [call() for call in calls]

    def _lead_on(self, position: int, is_together: bool) -> None:
        """Fill the empty buckets with transitions from the profiles of a position."""
        budget = python_time.share(_FITS if is_together else max(1, _FITS // self.threads))
        makers = range(self.threads)
        self._each(is_together, [partial(self._calls_of(maker).lead_on, position, maker, budget) for maker in makers])

    def _enter(self, is_together: bool) -> None:
        """Enter the transitions that are in the buckets."""
        takers = range(self.threads)
        self._each(is_together, [partial(self._calls_of(taker).enter, taker) for taker in takers])

    def _calls_of(self, thread: int) -> _Calls:
        """The kernels that a thread calls, with its arrays."""
        calls = self._calls[thread]
        if calls is None:
            found = self._found[thread]
            calls = self._calls[thread] = _Calls(
                bind(kernel.lead_on, self._rules, self._maps, found, self._exchange),
                bind(kernel.enter, self._rules, found, self._exchange),
            )
        return calls

    def _make_room(self, is_together: bool) -> Iterator[None]:
        """Make arrays large enough for all transitions in the buckets, with pauses."""
        waiting = self._exchange.filled[: self.threads, : self.threads].sum(0).tolist()
        growing = [partial(is_over, self._grow(taker, more)) for taker, more in enumerate(waiting)]
        yield from rounds(growing, self.threads if is_together else 1)

    def _grow(self, taker: int, more: int) -> Iterator[None]:
        """Make room for `more` profiles and edges of a thread, with pauses."""
        found = self._found[taker]
        profiles, edges = found.state.tolist()
        if edges + more <= len(found.edges) and profiles + more <= min(len(found.words), len(found.table) // 2):
            return
        self._calls[taker] = None
        if edges + more > len(found.edges):
            found.edges.resize((_larger(len(found.edges), edges + more), kernel.EDGE_COLUMNS), refcheck=False)
            yield
        if profiles + more > len(found.words):
            room = _larger(len(found.words), profiles + more)
            for array in (found.words, found.positions, found.before):
                array.resize((room,), refcheck=False)
                yield
        if 2 * (profiles + more) > len(found.table):
            size = 1 << (2 * (profiles + more)).bit_length()
            self._found[taker] = found = found._replace(table=np.zeros(size, np.int32))
            first = 1 if taker == 0 else 0  # The empty board is in no table.
            for start in range(first, profiles, _ENTRIES):
                kernel.enter_anew(found, start, min(start + _ENTRIES, profiles))
                yield

    def _put_in_order(self, begun: list[list[int]]) -> Iterator[None]:
        """Make the graph of the profiles that lead to the full board, and number them by position. `begun` has, by position and
        thread, the first edge from that position; its last entry has the number of edges of each thread."""
        cells, threads = self.model.cells, self.threads
        counts = [int(found.state[kernel.PROFILES]) for found in self._found]
        self._found = [found._replace(table=found.table[:0].copy()) for found in self._found]
        alive = np.zeros(max(counts) * threads, np.bool_)
        for owner, found in enumerate(self._found):
            if found.last[cells] >= 0:
                alive[int(found.last[cells]) * threads + owner] = True
        for position in range(cells - 1, -1, -1):
            for owner, found in enumerate(self._found):
                kernel.revive(found, owner, threads, begun[position][owner], begun[position + 1][owner], alive)
            yield
        first = np.zeros(cells + 2, np.int64)
        for owner, start, stop in _some(counts):
            kernel.count(self._found[owner], owner, threads, alive, start, stop, first[1:])
            yield
        np.cumsum(first, out=first)
        ends, numbers = first[:-1].copy(), np.empty(len(alive), np.int32)
        covered = np.zeros(int(first[-1]), np.int64)
        for owner, start, stop in _some(counts):
            kernel.number(self._rules, self._found[owner], owner, threads, alive, start, stop, ends, numbers, covered)
            yield
        before = portable.starts_of(self.model.measured)
        covered += portable.repeat(before, np.diff(first))
        into, out = np.zeros(len(covered) + 1, np.int64), np.zeros(len(covered) + 1, np.int64)
        for owner, start, stop in _some(begun[cells]):
            kernel.count_edges(self._found[owner], owner, threads, numbers, start, stop, out[1:], into[1:])
            yield
        np.cumsum(into, out=into)
        np.cumsum(out, out=out)
        incoming, outgoing = np.empty((int(into[-1]), 2), np.int32), np.empty((int(out[-1]), 2), np.int32)
        tiles, symmetries = self.model.fit_tile, len(self._maps.keys)
        starts = out[:-1].copy(), into[:-1].copy()
        for owner, start, stop in _some(begun[cells]):
            found = self._found[owner]
            changes = tiles, len(self.model.counters), symmetries
            kernel.put_edges(found, owner, threads, numbers, *changes, start, stop, *starts, outgoing, incoming)
            yield
        self.graph = ProfileGraph(first, covered, Adjacency(into, incoming), Adjacency(out, outgoing))


def _none(room: int, cells: int) -> kernel.WordProfiles:
    """Arrays with room for `room` profiles, and no profile yet."""
    return kernel.WordProfiles(
        words=np.zeros(room, np.uint64),
        positions=np.zeros(room, np.int32),
        before=np.zeros(room, np.int32),
        last=np.full(cells + 1, -1, np.int32),
        counts=np.zeros(cells + 1, np.int64),
        table=np.zeros(1 << (2 * room).bit_length(), np.int32),
        edges=np.zeros((2 * room, kernel.EDGE_COLUMNS), np.int32),
        state=np.zeros(kernel.STATE_SIZE, np.int64),
    )


def _larger(room: int, needed: int) -> int:
    return max(needed, room + room // _GROWTH)


def _some(counts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Divide the things of each thread, of which `counts` has the numbers, into portions: the thread, the first, the end."""
    for owner, count in enumerate(counts):
        start = 0
        while start < count:
            stop = min(start + python_time.share(_EDGES), count)
            yield owner, start, stop
            start = stop

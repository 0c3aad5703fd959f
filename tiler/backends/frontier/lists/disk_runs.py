"""Keep the layers on disk, for states that do not fit into memory: count in sorted runs, in as little memory as there is.

Records of states are sent to the positions they lead to. Whenever the buffer is full, it is sorted, and its part for each
position is written to the file of that position as a run. When a position's turn comes, its runs are merged as they are read:
equal states meet there.
"""

from __future__ import annotations

import errno
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler import portable
from tiler.backends.frontier.lists import kernel_runs as kernel
from tiler.backends.frontier.lists.layers import Layers
from tiler.backends.frontier.lists.ways import number_of
from tiler.backends.frontier.shared.budgeted import Budgeted
from tiler.backends.frontier.shared.kernel_profiles import Judging
from tiler.backends.frontier.shared.model import Model, Words
from tiler.backends.frontier.tables.hash_tables import Tables
from tiler.errors import BackendError
from tiler.kernels import Ratchet
from tiler.process import temporary

_PUSHED = 1000  # records from which next ones are made between two looks at the clock: on wide boards each takes long
_FAN_IN = 32  # runs that are merged at a time
_MOST_RECORDS = 1 << 18  # records in the buffer; sorting them takes some 0.1 s
_FEWEST_RECORDS = 1 << 10


class DiskRuns(Budgeted):
    """A count on disk, which continues a count in layers or tables that ran out of memory. `count` runs to the end; then `total`
    is the number of tilings."""

    position = 0

    def __init__(self, layers: Layers | Tables, folder: Path, budget: int) -> None:
        """`budget` is how many bytes the buffers may take together, beside the layers, which are unloaded first."""
        model = layers.model
        super().__init__(model, budget)
        self.position = layers.position
        self.total = 0
        self.states = layers.states - layers.unfinished  #: the states before the present position, and the records merged since
        self.bytes_written = 0
        self._on_disk = 0
        self._folder, self._layers = folder, layers
        self._words = model.mask_words + model.key_words
        self._width = self._words + _ways_words(model)
        # Half for the records before and after they are sorted, half for merging.
        records = budget // (2 * (2 * (self._width + 1) * 8 + 24))
        records = max(_FEWEST_RECORDS, model.most_fits, min(_MOST_RECORDS, records))
        self._pushed = kernel.Pushed.new(records, self._width)
        self._out, self._state = self._pushed.out, self._pushed.state
        self._sorted = np.zeros_like(self._out)
        self._block = max(16, min(1 << 15, budget // (2 * (_FAN_IN + 1) * self._width * 8)))
        self._fitting = kernel.Fitting.new(model.most_fits, model.mask_words)
        self._judging = Judging.new(model.cells, model.mask_words)
        self._runs: dict[int, list[tuple[int, int]]] = {}  # by position, the first record and the number of records of each run

    @property
    def bytes(self) -> int:
        """The bytes of the states that are on disk."""
        return self._on_disk

    @property
    def transitions(self) -> int:
        return self._layers.transitions + int(self._state[kernel.TRANSITIONS])

    def stats(self) -> Mapping[str, Any]:
        return {**self._layers.stats(), "transitions": self.transitions, "spilled_bytes": self.bytes_written}

    @property
    def where(self) -> str:
        return f"{super().where} on disk"

    def count(self) -> Generator[float, None, None]:
        """Count to the end, with many pauses a second. Yields the fraction of the positions done."""
        cells = self.model.cells
        with temporary.folder(self._folder) as self._here:
            for _ in self._unload():
                yield self.position / cells
            while self.position < cells:
                for records in self._merged():
                    for _ in self._push(records):
                        yield self.position / cells
                    self.states += len(records)
                for _ in self._flush():
                    yield self.position / cells
                self._remove()
                self.position += 1
            for records in self._merged():
                self.states += len(records)
                self.total += sum(map(number_of, records[:, self._words :].tolist()))

    def _unload(self) -> Iterator[None]:
        """Write all states to which the layers lead, and which are not merged yet, as records; then free the layers."""
        layers = self._layers
        if isinstance(layers, Tables):
            for records in layers.records(len(self._out), self._width - self._words):
                yield from self._put(records)
                yield
            yield from self._flush()
        else:
            yield from self._unload_layers(layers)
        layers.free()

    def _put(self, records: Words) -> Iterator[None]:
        """Put records, which begin with their position, into the buffer."""
        room = len(self._out)
        for start in range(0, len(records), room):
            some = records[start : start + room]
            if int(self._state[kernel.FILL]) + len(some) > room:
                yield from self._flush()
            first = int(self._state[kernel.FILL])
            self._out[first : first + len(some)] = some
            self._state[kernel.FILL] += len(some)

    def _unload_layers(self, layers: Layers) -> Iterator[None]:
        ratchet = Ratchet("the frontier's way to disk")
        beyond = self.position if layers.is_gathered else self.position - 1
        if layers.is_gathered:
            yield from self._unload_here(layers)
        while True:
            arrays = self.model.rules, layers.maps, layers.known.arrays, layers.lists, self._pushed
            done = kernel.unload(*arrays, self.position, beyond)
            yield from self._flush()
            if done:
                break
            ratchet.turn(int(self._state[kernel.EDGE_AT]), int(self._state[kernel.ROW_AT]))

    def _unload_here(self, layers: Layers) -> Iterator[None]:
        """Write the states of the present position, which are complete, as records."""
        mask_words, step = self.model.mask_words, len(self._out)
        for i, profile in enumerate(layers.at(self.position).tolist()):
            if i % _PUSHED == 0:
                yield
            begin, end = layers.lists.spans[profile].tolist()
            for start in range(begin, end, step):
                rows = layers.lists.rows[start : min(start + step, end)]
                records = np.zeros((len(rows), self._out.shape[1]), np.uint64)
                records[:, 0] = self.position
                records[:, 1 : 1 + mask_words] = layers.known.arrays.masks[profile]
                records[:, 1 + mask_words : 1 + mask_words + rows.shape[1]] = rows
                yield from self._put(records)

    def _push(self, records: Words) -> Iterator[None]:
        done, ratchet = 0, Ratchet("the frontier's way on disk")
        while done < len(records):
            stop = min(len(records), done + _PUSHED)
            arrays = self.model.rules, self._judging, self._fitting, self._pushed
            done = int(kernel.push(*arrays, records, done, stop, self.position))
            if done < stop:
                yield from self._flush()
            # Otherwise the buffer, which is empty now, takes the next records.
            ratchet.turn(done, len(self._out) - int(self._state[kernel.FILL]))
            yield

    def _flush(self) -> Iterator[None]:
        """Sort the buffer, and write to every position its part of it."""
        out = self._out[: int(self._state[kernel.FILL])]
        self._state[kernel.FILL] = 0
        if not len(out):
            return
        order = portable.lexsort(out[:, self._words :: -1].T)
        yield
        count = int(kernel.combine(out, order, self._words + 1, self._sorted))
        positions, starts = np.unique(self._sorted[:count, 0], return_index=True)
        for position, start, stop in zip(positions.tolist(), starts.tolist(), [*starts[1:].tolist(), count], strict=True):
            self._append(int(position), self._sorted[start:stop, 1:])
        yield

    def _append(self, position: int, records: Words) -> None:
        """Write a sorted run to the end of a position's file."""
        runs = self._runs.setdefault(position, [])
        first = sum(runs[-1]) if runs else 0
        self._write(records, position)
        runs.append((first, len(records)))

    def _remove(self) -> None:
        """Delete the file of the present position, if there is one."""
        path = self._file()
        if path.exists():
            self._on_disk -= path.stat().st_size
            path.unlink()

    def _write(self, records: Words, position: int | None = None) -> None:
        """Write records to the end of a position's file. BackendError if that fails, for example because the disk is full."""
        path = self._file(position)
        left = np.ascontiguousarray(records).data.cast("B")
        try:
            with path.open("ab", buffering=0) as file:
                while left:
                    left = left[file.write(left) :]
        except OSError as error:
            advice = "; spill=FOLDER takes another folder" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
            raise BackendError(f"frontier: {path}: {error.strerror}{advice}") from None
        self.bytes_written += records.nbytes
        self._on_disk += records.nbytes

    def _merged(self) -> Iterator[Words]:
        """The records of the present position in blocks; equal records are merged."""
        runs = self._runs.get(self.position, [])
        while len(runs) > _FAN_IN:
            # The shortest first: they are read most often.
            runs.sort(key=lambda run: run[1])
            merging = runs[:_FAN_IN]
            del runs[:_FAN_IN]
            end = first = self._file().stat().st_size // (8 * self._width)
            for records in self._merge(merging):
                self._write(records)
                end += len(records)
            runs.append((first, end - first))
        yield from self._merge(runs)

    def _merge(self, runs: list[tuple[int, int]]) -> Iterator[Words]:
        starts = np.array([first for first, _ in runs], np.int64)
        lefts = np.array([count for _, count in runs], np.int64)
        merging = kernel.SortedRuns(
            blocks=np.zeros((len(runs), self._block, self._width), np.uint64),
            at=np.zeros(len(runs), np.int64),
            ends=np.zeros(len(runs), np.int64),
            is_last=lefts == 0,
        )
        out = np.zeros((self._block, self._width), np.uint64)
        state = np.zeros(kernel.MERGE_STATE_SIZE, np.int64)
        ratchet, read, written = Ratchet("the merging of the frontier's runs"), 0, 0
        while True:
            code = int(kernel.merge(merging, self._words, out, state))
            if code == kernel.REFILL:
                run = int(state[kernel.MERGED_RUN])
                count = int(min(lefts[run], self._block))
                merging.blocks[run, :count] = self._read(int(starts[run]), count)
                starts[run] += count
                lefts[run] -= count
                merging.at[run], merging.ends[run], merging.is_last[run] = 0, count, not lefts[run]
                ratchet.turn(read := read + count, written)
                continue
            count = int(state[kernel.MERGED_COUNT])
            if code == kernel.MERGED:
                yield out[:count]
                return
            yield out[: count - 1]
            ratchet.turn(read, written := written + count - 1)
            out[0] = out[count - 1]
            state[kernel.MERGED_COUNT] = 1

    def _read(self, first: int, count: int) -> NDArray[np.uint64]:
        offset = first * self._width * 8
        return np.fromfile(self._file(), np.uint64, count * self._width, offset=offset).reshape(count, self._width)

    def _file(self, position: int | None = None) -> Path:
        return self._here / f"{self.position if position is None else position}.states"


def _ways_words(model: Model) -> int:
    """The number of words that hold any number of ways: computed as if every piece had as many fits as the piece with most."""
    pieces = model.cells // model.smallest
    return (pieces * int(np.diff(model.fit_starts).max(initial=0)).bit_length()) // 64 + 1

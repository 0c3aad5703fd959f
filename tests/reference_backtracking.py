"""Plain backtracking in readable Python: what the compiled search must do, node for node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from tiler.backends.base import Backend, option
from tiler.model.lattice import Cell
from tiler.question.events import Found, Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Result

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover

_TICK_EVERY = 256  # nodes; some 0.2 ms


class _Candidate(NamedTuple):
    mask: int  # the cells it covers, bit 0 being its first
    tile: int
    option: int


@dataclass(frozen=True)
class Reference(Backend):
    """As `tiler.backends.backtracking` describes it, with the covered cells as one Python integer."""

    name: ClassVar[str] = "reference"

    order: str = option("default", "as there", choices=("default", "frequent", "rare", "fill-row"))
    cells: tuple[Cell, ...] = option("", "the cells in the order in which they are taken")

    def search(self, cover: BoardCover, question: Question, context: SearchContext) -> RunningSearch:
        lists = _candidates(cover, self.order, self.cells or cover.cells)
        size, lower, upper = cover.sizes.tolist(), cover.lower.tolist(), cover.upper.tolist()
        wanted = question.solutions_wanted
        used = [0] * len(size)
        # Cells that are open and not owed to a tile that must still be used.
        slack = len(lists) - sum(s * least for s, least in zip(size, lower, strict=True))
        cell, taken = 0, 0  # the first open cell; bit i of `taken`: cell + i is covered
        chosen: list[_Candidate] = []
        path: list[tuple[int, int, Iterator[_Candidate]]] = []
        untried = iter(lists[0])
        nodes = found = 0
        exhausted = False
        while True:
            for candidate in untried:
                mask, tile, _ = candidate
                if mask & taken or used[tile] == upper[tile]:
                    continue
                if used[tile] >= lower[tile]:
                    if size[tile] > slack:
                        continue
                    slack -= size[tile]
                used[tile] += 1
                nodes += 1
                path.append((cell, taken, untried))
                chosen.append(candidate)
                taken |= mask
                covered = (taken ^ (taken + 1)).bit_length() - 1  # the run of ones at the low end
                cell += covered
                taken >>= covered
                break
            else:
                if not path:
                    exhausted = True
                    break
                cell, taken, untried = path.pop()
                _, tile, _ = chosen.pop()
                used[tile] -= 1
                if used[tile] >= lower[tile]:
                    slack += size[tile]
                continue
            if cell == len(lists):
                found += 1
                if question.goal is not Goal.COUNT:
                    yield Found(tuple(candidate.option for candidate in chosen))
                if found == wanted:
                    break
                untried = iter(())
            else:
                untried = iter(lists[cell])
            if nodes % _TICK_EVERY == 0 or nodes == question.limits.nodes:
                yield Progress(nodes, found)
        return Result.of_search(question, found=found, exhausted=exhausted, nodes=nodes)


def _candidates(cover: BoardCover, order: str, cells: Sequence[Cell]) -> list[list[_Candidate]]:
    """For each cell the placements that have it as their first, in the order to be tried."""
    if order == "fill-row":
        rows = [[-sum(cell[:-1] == min(shape)[:-1] for cell in shape) for shape in variants] for variants in cover.variants]
        keys = [rows[t][v] for t, v in zip(cover.tile.tolist(), cover.variant.tolist(), strict=True)]
    else:
        sign = {"default": 0, "frequent": -1, "rare": 1}[order]
        keys = (sign * cover.upper[cover.tile]).tolist()
    # Masks relative to the first cell are few and short however large the board is; each is kept once.
    masks: dict[int, int] = {}
    lists: list[list[_Candidate]] = [[] for _ in cover.cells]
    tiles = cover.tile.tolist()
    rank = {cover.cells.index(cell): number for number, cell in enumerate(cells)}
    for number, covered in enumerate(cover.members.lists()):
        members = sorted(rank[cell] for cell in covered)
        first = members[0]
        mask = sum(1 << (member - first) for member in members)
        lists[first].append(_Candidate(masks.setdefault(mask, mask), tiles[number], number))
    for candidates in lists:
        candidates.sort(key=lambda candidate: keys[candidate.option])
    return lists

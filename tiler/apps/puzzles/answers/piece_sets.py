"""Show and save sets of pieces that fill a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tiler.amounts import counted
from tiler.api.answers import instance_picture
from tiler.api.answers.saving import Drawable, Forms, json_lines
from tiler.api.monitoring import Following
from tiler.apps.puzzles.piece_sets import ChosenPieces, PieceChoice, SetsOfPieces, WantedPieces, choose, covered
from tiler.cover.part_classes import parts_of
from tiler.formats import text
from tiler.model.instance import Instance
from tiler.printable import line
from tiler.process import files
from tiler.render import table
from tiler.render.options import USUAL, PictureLook

_TURNED_OVER = {None: "", True: ", which may be turned over", False: ", not turned over (--reflections allows it)"}


@dataclass(frozen=True, repr=False)
class PieceSets(Drawable):
    """Sets of pieces that fill a board, each with the number of its tilings and how hard it is. `str` makes a table of them, and
    `save` writes a file.

    >>> import tiler
    >>> found = tiler.choose(tiler.make("4x4", "1:tetrominoes"), pieces=4)
    >>> found, [each.pieces for each in found]
    (PieceSets(0 of 5 sets of 4 pieces), [])
    """

    choice: PieceChoice

    def __iter__(self) -> Iterator[ChosenPieces]:
        return iter(self.choice.found)

    def __len__(self) -> int:
        return len(self.choice.found)

    def __getitem__(self, number: int) -> ChosenPieces:
        return self.choice.found[number]

    @property
    def _sets(self) -> str:
        number = self.choice.wanted.pieces
        return counted(self.choice.sets, "set") + ("" if number is None else f" of {counted(number, 'piece')}")

    def __repr__(self) -> str:
        return f"PieceSets({len(self):,} of {self._sets})"

    def __str__(self) -> str:
        choice, wanted = self.choice, self.choice.wanted
        what = [
            *([f"one tiling up to symmetry{self._of_parts()}"] if wanted.unique else []),
            *(["a tiling for every set of open cells"] if wanted.all_open else []),
            *([f"at least {wanted.at_least:,} tilings"] if wanted.at_least > 1 else []),
            *([f"the level {wanted.level}"] if wanted.level else []),
        ]
        kept = f"; {len(self):,}{'' if choice.is_all else ' or more'} with {' and '.join(what)}" if what else ""
        over = _TURNED_OVER[choice.instance.turned_over]
        drawn = "" if wanted.seed is None else f", {choice.looked_at:,} drawn"
        total = f"{self._sets}{over}{self._fitting()}{drawn}, {choice.with_tilings:,} with a tiling{kept}"
        return "\n".join([*([self._table(), ""] if choice.found else []), total, *self._left_out()])

    def _fitting(self) -> str:
        """A phrase with the number of sets that have the right number of cells, if some have not."""
        choice = self.choice
        if choice.fitting == choice.sets:
            return ""
        right = _range(covered(choice.instance))
        if choice.fitting:
            return f", {choice.fitting:,} of {right} cells"
        sizes = SetsOfPieces(choice.instance, choice.wanted.pieces).sizes
        theirs = f", all of {_range(range(min(sizes), max(sizes) + 1))} cells" if sizes else ""
        return f"{theirs}, where {right} are to be covered"

    def _of_parts(self) -> str:
        """How the parts of the board are turned, if it has several."""
        number = len(parts_of(self.choice.instance))
        return f" (each of the {number} parts of the board turned by itself)" if number > 1 else ""

    def _left_out(self) -> list[str]:
        """Why there may be more than are shown."""
        choice = self.choice
        shown = f"{len(self):,} {'is' if len(self) == 1 else 'are'} shown"
        if choice.ended:
            number = choice.with_tilings if choice.wanted.seed is None else choice.fitting
            looked = f"{choice.looked_at:,} of {counted(number, 'set')} were looked at"
            return [f"unfinished ({choice.ended}): {looked}, there may be more"]
        return [] if choice.is_all else [f"only {shown}; --limit says how many"]

    def _table(self) -> str:
        wanted = self.choice.wanted
        rows = []
        for each in self.choice.found:
            nodes = "more than 10 million" if each.nodes is None else f"{each.nodes:,}"
            least = [f"{each.fewest[1]:,} ({self._named(each)})"] if each.fewest else []
            level = [] if wanted.all_open else [each.grade.level if each.grade else "too large"]
            rows.append((" ".join(map(line, each.pieces)), f"{each.tilings:,}", *least, nodes, f"{each.placements:,}", *level))
        fewest, level = ["fewest"] * wanted.all_open, ["level"] * (not wanted.all_open)
        return table.draw(rows, ("pieces", "tilings", *fewest, "nodes", "placements", *level))

    def _named(self, each: ChosenPieces) -> str:
        return " ".join(map(each.instance.called, sorted(each.fewest[0]))) if each.fewest else ""

    def json(self) -> str:
        """A line for each set, as `tiler choose --format json` prints it."""
        return json_lines(self.choice.summary())

    def problems(self) -> list[str]:
        """A problem file for each set, whose pieces have to be used."""
        return [text.write(each.instance) for each in self]

    def files(self, folder: str | Path) -> list[Path]:
        """The files that `save_problems` writes into a folder: 1.txt, 2.txt and so on."""
        return [Path(folder) / f"{number:0{len(str(len(self)))}}.txt" for number in range(1, len(self) + 1)]

    def save_problems(self, folder: str | Path) -> None:
        """Write the problems into a folder, which is made if need be."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, content in zip(self.files(folder), self.problems(), strict=True):
            files.write(path, content.encode())

    def forms(self, look: PictureLook = USUAL) -> Forms:
        """The sets as .json (a line for each) or .txt, as .problem their problem files one after the other, and the board and the
        pieces of the first set, if there is one, as .svg, .png or .pdf."""
        drawn = instance_picture.pictures_of(self[0].instance, look) if len(self) else {}
        return {"json": self.json, "txt": self.printed, "problem": lambda: "".join(self.problems()), **drawn}


def find(
    instance: Instance,
    wanted: WantedPieces,
    follow: Following,
    on_found: Callable[[ChosenPieces], None] | None = None,
) -> PieceSets:
    """Look for sets; if a limit or Ctrl-C ends that, the answer has those found until then. `on_found` is told of each one."""
    told = follow.showing(on_found) or (lambda chosen: None)
    with follow.answering("the sets are not known, since the tilings of all of them are counted first; a seed draws some"):
        found = choose(instance, wanted, threads=follow.threads, on_tick=follow.tick, on_found=told)
    return PieceSets(replace(found, ended=found.ended and (follow.reason or found.ended)))


def _range(numbers: range) -> str:
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"

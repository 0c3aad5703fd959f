"""Model a cover for CP-SAT in three ways, behind one class that adds variables and constraints and reads options from values.

Each has exactly one assignment per tiling, auxiliary variables included, so that CP-SAT's own enumeration counts tilings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tiler.backends.colour_constraints import agreements
from tiler.model.lattice import box

if TYPE_CHECKING:
    from tiler.cover.board import BoardCover
    from tiler.cover.cover import Cover
    from tiler.model.lattice import Cell, Shape

#: A function for the value of a variable or an expression in the present solution; 0 or 1 for a Boolean.
Value = Callable[[Any], int]


class Formulation(ABC):
    """A cover as a model of CP-SAT."""

    def __init__(self, cover: Cover) -> None:
        from ortools.sat.python import cp_model

        self.cover, self.model = cover, cp_model.CpModel()
        self._build()

    @abstractmethod
    def _build(self) -> None:
        """Add the variables and constraints."""

    @abstractmethod
    def options(self, value: Value) -> tuple[int, ...]:
        """The options that a solution places, in ascending order."""

    def maximise(self) -> None:
        """Ask for the largest sum of weights."""
        raise NotImplementedError

    def _copies(self, t: int) -> int:
        """The largest number of copies of a tile."""
        return min(int(self.cover.upper[t]), len(self.cover.by_tile[t]))


class Placements(Formulation):
    """A Boolean per placement; exactly one per cell, and for tiles with bounds a sum between them. Where options give items
    colours, a Boolean per item and colour, true just if some option gives it."""

    def _build(self) -> None:
        cover = self.cover
        self._placed = [self.model.new_bool_var(f"x{option}") for option in range(len(cover))]
        for options in cover.by_item.lists():
            self.model.add_exactly_one(self._placed[option] for option in options)
        for t, options in enumerate(cover.by_tile.lists()):
            if cover.bounded[t]:
                lower, upper = int(cover.lower[t]), int(cover.upper[t])
                self.model.add_linear_constraint(sum(self._placed[option] for option in options), lower, upper)
        for agreement in agreements(cover):
            given = {colour: self.model.new_bool_var(f"y{agreement.item}_{colour}") for colour in agreement.options}
            self.model.add_at_most_one(given.values())
            for colour, options in agreement.options.items():
                for option in options:
                    self.model.add_implication(self._placed[option], given[colour])
                self.model.add_bool_or([~given[colour], *(self._placed[option] for option in options)])

    def options(self, value: Value) -> tuple[int, ...]:
        return tuple(option for option, placed in enumerate(self._placed) if value(placed))

    def maximise(self) -> None:
        weights = self.cover.weights[self.cover.tile].tolist()
        self.model.maximize(sum(weight * placed for weight, placed in zip(weights, self._placed, strict=True) if weight))


class _OnBoard(Formulation):
    """A model of where copies lie, not of placements."""

    @cached_property
    def board(self) -> BoardCover:
        from tiler.cover.board import on_board

        return on_board(self.cover, "this model of cpsat")


class Geometric(_OnBoard):
    """A variant and a position per copy of a tile, and no overlap.

    The position is the position of the variant's first cell, and the copies of a tile come in its order. A copy that need not be
    used has a literal that says whether it is; unused ones come last. Each variant is cut into rectangles, which are there if it
    is chosen. Together the used copies have the board's area, so without overlap they cover it.
    """

    def _build(self) -> None:
        model, cover = self.model, self.board
        self._plane = Plane.of(cover, margin=0)
        self._option: dict[tuple[int, int, int], int] = {}
        firsts: dict[tuple[int, int], list[int]] = {}
        for option, (t, v) in enumerate(zip(cover.tile.tolist(), cover.variant.tolist(), strict=True)):
            first = self._plane.number(cover.cells[int(cover.members[option][0])])
            self._option[t, v, first] = option
            firsts.setdefault((t, v), []).append(first)
        self._places: list[tuple[int, Any, dict[int, Any]]] = []
        self._across: list[Any] = []
        self._down: list[Any] = []
        area = []
        for t in range(len(cover.tiles)):
            variants = {v: places for (owner, v), places in sorted(firsts.items()) if owner == t}
            before: Any = None
            for copy in range(self._copies(t)):
                used = True if copy < cover.lower[t] else model.new_bool_var(f"used{t}_{copy}")
                place = self._add_copy(f"{t}_{copy}", t, used, variants)
                area.append(int(cover.sizes[t]) * used)
                if before is not None:
                    model.add(before[1] < place).only_enforce_if(used)
                    model.add_implication(used, before[0])
                before = (used, place)
        model.add_no_overlap_2d(self._across, self._down)
        model.add(sum(area) == len(cover.cells))

    def _add_copy(self, name: str, t: int, used: Any, variants: dict[int, list[int]]) -> Any:
        """Add the variables and rectangles of a copy. Returns its position as one number."""
        from ortools.sat.python import cp_model

        model, plane = self.model, self._plane
        row = model.new_int_var(0, plane.height - 1, f"row{name}")
        column = model.new_int_var(0, plane.width - 1, f"column{name}")
        place = row * plane.width + column
        turned = {v: model.new_bool_var(f"turned{name}_{v}") for v in variants}
        model.add(sum(turned.values()) == used)
        if used is not True:
            model.add(place == 0).only_enforce_if(~used)
        for v, places in variants.items():
            allowed = cp_model.Domain.from_values(places)
            model.add_linear_expression_in_domain(place, allowed).only_enforce_if(turned[v])
            for top, left, height, width in plane.rectangles(self.board.variants[t][v]):
                interval = model.new_optional_fixed_size_interval_var
                self._down.append(interval(row + top, height, turned[v], f"down{name}_{v}_{top}_{left}"))
                self._across.append(interval(column + left, width, turned[v], f"across{name}_{v}_{top}_{left}"))
        self._places.append((t, place, turned))
        return place

    def options(self, value: Value) -> tuple[int, ...]:
        return tuple(
            sorted(
                self._option[t, v, value(place)]
                for t, place, turned in self._places
                for v, chosen in turned.items()
                if value(chosen)
            )
        )


class Automaton(_OnBoard):
    """A Boolean per cell and copy, in a row as long as the board, which an automaton must accept: zeros, a variant, zeros.

    The rows of the board follow each other with a margin between them that nothing may cover, so that no tile wraps round. A word
    of a variant is 1 for its cells and 0 for those between; the states of the automaton are sets of what may still follow. Copies
    come in the order of their first cells. Tiles of one cell need neither copies nor automata. An automaton knows the variants
    that the cover has options of; where it would take a placement that is none of them (a constraint or a filter has ruled it
    out), that one is forbidden by a clause.
    """

    def _build(self) -> None:
        model, cover = self.model, self.board
        connected = cover.tiles_are_connected
        reach = max(max(box(shape)[1]) for variants in cover.variants for shape in variants)
        self._plane = plane = Plane.of(cover, margin=1 if connected else max(1, reach))
        numbers = [plane.number(cell) for cell in cover.cells]
        inside: list[list[Any]] = [[] for _ in cover.cells]
        self._laid: list[tuple[int, dict[int, Any]]] = []
        missing = self._missing()
        for t, tile in enumerate(cover.tiles):
            reachable = sorted({int(cell) for option in cover.by_tile[t] for cell in cover.members[option]})
            words = sorted({plane.word(cover.variants[t][v]) for v in set(cover.variant[cover.by_tile[t]].tolist())})
            lower, upper = int(cover.lower[t]), int(cover.upper[t])
            earlier: dict[int, Any] = {}
            for copy in range(1 if tile.size == 1 and reachable else self._copies(t)):
                laid = {cell: model.new_bool_var(f"t{t}_{copy}_{cell}") for cell in reachable}
                self._laid.append((t, laid))
                for cell, literal in laid.items():
                    inside[cell].append(literal)
                if tile.size == 1:
                    if cover.bounded[t]:
                        model.add_linear_constraint(sum(laid.values()), lower, upper)
                    continue
                row: list[Any] = [0] * (numbers[reachable[-1]] - numbers[reachable[0]] + 1)
                for cell, literal in laid.items():
                    row[numbers[cell] - numbers[reachable[0]]] = literal
                start, end, arcs = automaton(words)
                model.add_automaton(row, start, [end] if copy < lower else [start, end], arcs)
                for members in missing.get(t, ()):
                    if all(cell in laid for cell in members):
                        model.add_bool_or([~laid[cell] for cell in members])
                if self._copies(t) > 1:
                    earlier = self._add_order(f"{t}_{copy}", laid, earlier)
        for literals in inside:
            model.add_exactly_one(literals)

    def _missing(self) -> dict[int, list[tuple[int, ...]]]:
        """For each tile, the cells of its placements on this board that are not among the cover's options."""
        from tiler.cover.board import BoardCover

        cover = self.board
        if cover.is_whole and not cover.instance.constraints:
            return {}
        every = BoardCover.of(replace(cover.instance, constraints=()))
        options = {(t, tuple(members)) for t, members in zip(cover.tile.tolist(), cover.members.lists(), strict=True)}
        missing: dict[int, list[tuple[int, ...]]] = {}
        for t, members in zip(every.tile.tolist(), every.members.lists(), strict=True):
            if (t, tuple(members)) not in options:
                missing.setdefault(t, []).append(tuple(members))
        return missing

    def _add_order(self, name: str, laid: dict[int, Any], earlier: dict[int, Any]) -> dict[int, Any]:
        """Add literals that say, for each cell, whether a copy begins there or before. Where it does, the copy before it
        (`earlier`) began sooner."""
        model = self.model
        begun: dict[int, Any] = {}
        before: Any = False
        before_earlier: Any = False
        for cell, literal in laid.items():
            begun[cell] = model.new_bool_var(f"begun{name}_{cell}")
            model.add_bool_or([before, literal, ~begun[cell]])
            model.add_implication(literal, begun[cell])
            if before is not False:
                model.add_implication(before, begun[cell])
            if earlier:
                model.add_implication(begun[cell], before_earlier)
                before_earlier = earlier[cell]
            before = begun[cell]
        return begun

    def options(self, value: Value) -> tuple[int, ...]:
        cover = self.board
        option_of = {(int(cover.tile[o]), tuple(cover.members[o].tolist())): o for o in range(len(cover))}
        found = []
        for t, laid in self._laid:
            cells = tuple(cell for cell, literal in laid.items() if value(literal))
            if cover.tiles[t].size == 1:
                found += [option_of[t, (cell,)] for cell in cells]
            elif cells:
                found.append(option_of[t, cells])
        return tuple(sorted(found))


MODELS: dict[str, type[Formulation]] = {"placements": Placements, "geometric": Geometric, "automaton": Automaton}


@dataclass(frozen=True)
class Plane:
    """A board with its layers one below the other, in a grid of `height` x `width` with a margin beside and below each layer."""

    low: Cell
    sides: tuple[int, ...]  # rows and columns of a layer, margin included
    height: int

    @classmethod
    def of(cls, cover: BoardCover, margin: int) -> Plane:
        """The plane of a cover's board."""
        low, high = box(frozenset(cover.cells))
        sides = tuple(b - a + 1 + margin for a, b in zip(low[-2:], high[-2:], strict=True))
        layers = high[0] - low[0] + 1 if len(low) == 3 else 1
        return cls(low, sides, layers * sides[0])

    @property
    def width(self) -> int:
        return self.sides[1]

    def number(self, cell: Cell) -> int:
        """The place of a cell: row times width, plus column."""
        return self._number([a - b for a, b in zip(cell, self.low, strict=True)])

    def word(self, shape: Shape) -> str:
        """A variant as a word of zeros and ones, from its first cell to its last."""
        places = sorted(map(self._number, shape))
        return "".join("1" if place in places else "0" for place in range(places[0], places[-1] + 1))

    def rectangles(self, shape: Shape) -> list[tuple[int, int, int, int]]:
        """A variant cut into rectangles (top, left, height, width), seen from its first cell: runs along the rows, joined where
        equal ones lie below each other."""
        first = divmod(self._number(min(shape)), self.width)
        cells = sorted(divmod(self._number(cell), self.width) for cell in shape)
        runs: list[list[int]] = []
        for row, column in cells:
            if runs and runs[-1][0] == row and runs[-1][1] + runs[-1][3] == column:
                runs[-1][3] += 1
            else:
                runs.append([row, column, 1, 1])
        joined: list[list[int]] = []
        for run in runs:
            above = next((r for r in joined if r[0] + r[2] == run[0] and r[1] == run[1] and r[3] == run[3]), None)
            if above:
                above[2] += 1
            else:
                joined.append(run)
        return [(row - first[0], column - first[1], height, width) for row, column, height, width in joined]

    def _number(self, cell: Sequence[int]) -> int:
        layer = cell[0] if len(cell) == 3 else 0
        return (layer * self.sides[0] + cell[-2]) * self.sides[1] + cell[-1]


def automaton(words: Sequence[str]) -> tuple[int, int, list[tuple[int, int, int]]]:
    """An automaton for zeros, one of the words, zeros: its start, its end, and its arcs (from, label, to).

    The words begin and end with 1 and have equally many ones, so none begins another. A state is the set of words that may
    follow.

    >>> automaton(["11", "101"])
    (0, 1, [(0, 0, 0), (1, 0, 1), (0, 1, 2), (2, 0, 3), (2, 1, 1), (3, 1, 1)])
    """
    start, end = frozenset(words), frozenset({""})
    number = {start: 0, end: 1}
    arcs = [(0, 0, 0), (1, 0, 1)]
    todo = [start]
    while todo:
        state = todo.pop(0)
        for label in "01":
            after = frozenset(word[1:] for word in state if word.startswith(label))
            if not after:
                continue
            if after not in number:
                number[after] = len(number)
                todo.append(after)
            arcs.append((number[state], int(label), number[after]))
    return 0, 1, arcs

"""Every format against every field of an instance: what is written reads back as the same question, or is refused by its name.

`FIELDS` has an example for each field. A new field needs a line there, and whatever writer does not know it shows up here.
"""

from __future__ import annotations

import json as plain_json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import highspy
import numpy as np
import pytest
from numpy.typing import NDArray
from pysat.solvers import Solver

from tiler import formats
from tiler.ask.solve import solve, solve_cover
from tiler.backends.languages import LANGUAGES, writing
from tiler.backends.languages.writing import WriteRequest
from tiler.cover.board import BoardCover
from tiler.errors import TilerError
from tiler.formats import dlx, json, text, xmpuzzle
from tiler.model.constraints import KINDS, Constraint
from tiler.model.instance import Instance
from tiler.model.lattice import Lattice
from tiler.question.question import Goal, Question

COUNT = Question(Goal.COUNT)


# The fields, and an example for each.


class Example(NamedTuple):
    """A problem file, its lines parted by `/`, that uses a field, and the same without it; None for a field that is no part of
    what is counted."""

    text: str
    without: str | None = None

    @property
    def instance(self) -> Instance:
        return read(self.text)


@cache
def read(written: str) -> Instance:
    return formats.parse(written.replace("/", "\n"), name="folder/name")


RED = "# colours: r red, g green"
BY_TURNS = f"{RED}/# checkered: red green"
LABELS = "# labels: a b c d"
PLUS = "# lattice: square-edges/.../..x/.x.x/..x"
GROUPS = f"{LABELS}/# group: x a b/# group: y c d"

OF_KINDS = {
    "lock": Example("# lock: 2 1/2x2//2/1", "2x2//2/1"),
    "within": Example("# within: 2 0,0..0,1/2x2//2/1", "2x2//2/1"),
    "place": Example("# place: 2 0,0 0,1/2x2//2/1", "2x2//2/1"),
    "only": Example("# only: 2 0,0 0,1/2x2//2/1", "2x2//2/1"),
    "forbid": Example("# forbid: 0,0 for 2/2x2//2/1", "2x2//2/1"),
}
FIELDS = {
    "board": Example("3x2//2"),
    "tiles.name": Example("3x2//big =2"),
    "tiles.shape": Example("3x2//2/3L"),
    "tiles.at_most": Example("2x2//2/2:1", "2x2//2/1"),
    "tiles.at_least": Example("2x2//1..:2/1", "2x2//2/1"),
    "tiles.weight": Example("# weight: 2 5/2x2//2/1"),
    "tiles.lattice": Example("# lattice: hexagonal/rhombus:2x2//2-1"),
    "tiles.paint.front.colours": Example(f"{BY_TURNS}/2x1//A =r/B =g", f"{BY_TURNS}/2x1//A =x/B =g"),
    "tiles.paint.front.marks": Example(f"{RED}/2x1//1:1 [rrrr]/2:1 [gggg]", f"{RED}/2x1//1:1 [rrrr]/2:1"),
    "tiles.paint.back.colours": Example(f"{BY_TURNS}/# reflections: yes/2x1//2:r | g", f"{BY_TURNS}/# reflections: yes/2x1//2:r"),
    "tiles.paint.back.marks": Example(
        f"{RED}/# reflections: yes/2x1//1:1 [rrrr] | 1 [gggg]/1:1 [gggg]", f"{RED}/# reflections: yes/2x1//1:1 [rrrr]/1:1 [gggg]"
    ),
    "reflections": Example("# reflections: yes/3x2//1:4L/1:2", "3x2//1:4L/1:2"),
    "optional": Example("oo/oo//2", "2x2//2"),
    "open": Example("# open: 1..2/2x2//2/1", "2x2//2/1"),
    "groups.name": Example(f"{GROUPS}/oo/oo//2/1"),
    "groups.cells": Example(f"{GROUPS}/oo/oo//2/1", f"{LABELS}/oo/oo//2/1"),
    "labels": Example(f"{LABELS}/2x2//2"),
    "constraints.kind": OF_KINDS["within"],
    "constraints.tile": OF_KINDS["within"],
    "constraints.cells": OF_KINDS["within"],
    "constraints.orientations": OF_KINDS["lock"],
    "lattice": Example("# lattice: cubic/2x2x1//2"),
    "wrap.vectors": Example("# wrap: columns/3x2//2", "3x2//2"),
    "turning": Example("# turning: no/2x2//2", "2x2//2"),
    "together": Example("# together: 2 1/2x2//2/1"),
    "crossing": Example(f"# crossing: no/{PLUS}//2-1/2-2", f"{PLUS}//2-1/2-2"),
    "ground.colours": Example(f"{BY_TURNS}/2x1//A =r/B =g", f"{RED}/2x1//A =r/B =g"),
    "ground.fits": Example(f"{BY_TURNS}/# fits: green green, red green, red red/2x1//A =r/B =g", f"{BY_TURNS}/2x1//A =r/B =g"),
    "ground.border": Example(f"{RED}/# border: red at top/1x1//1 [rggg]", f"{RED}/1x1//1 [rggg]"),
    "ground.mates": Example(f"{RED}/# mates: red green/2x1//1:1 [rrrr]/1:1 [gggg]", f"{RED}/2x1//1:1 [rrrr]/1:1 [gggg]"),
    "name": Example("2x2//2"),
    "about.title": Example("# title: a title/2x2//2"),
    "about.source": Example("# source: a book/2x2//2"),
    "about.tags": Example("# tags: easy/2x2//2"),
    "about.expected.verdict": Example("# verdict: sat/2x2//2"),
    "about.expected.count": Example("# verdict: sat/# count: 2/2x2//2"),
    "about.expected.up_to_symmetry": Example("# verdict: sat/# count up to symmetry: 1/2x2//2"),
    "about.fills": Example("# fill: 2 red/2x2//2"),
}
EXAMPLES: dict[str, Example] = FIELDS | OF_KINDS


def leaves(kind: type, before: str = "") -> Iterator[str]:
    """The paths of all fields of a dataclass that are no dataclasses themselves; a lattice counts as a value."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        inner = next((each for each in parts_of(hints[field.name]) if is_dataclass(each) and each is not Lattice), None)
        path = f"{before}{field.name}"
        yield from [path] if inner is None else leaves(inner, f"{path}.")  # type: ignore[arg-type]


def parts_of(hint: Any) -> Iterator[Any]:
    yield hint
    for inner in get_args(hint):
        yield from parts_of(inner)


def values(found: Any, path: Sequence[str]) -> Iterator[tuple[Any, Field[Any]]]:
    """The values at a path, of all members of tuples on the way, with their fields."""
    if isinstance(found, tuple):
        for each in found:
            yield from values(each, path)
        return
    field = next(each for each in fields(found) if each.name == path[0])
    value = getattr(found, path[0])
    if len(path) > 1:
        yield from values(value, path[1:])
    else:
        yield value, field


def default_of(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


@cache
def number_of(instance: Instance) -> int:
    found = solve(instance, question=COUNT).result.count
    assert found is not None
    return found


def test_every_field_has_an_example() -> None:
    assert sorted(FIELDS) == sorted(leaves(Instance))
    assert sorted(OF_KINDS) == sorted(KINDS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_uses_its_field(name: str) -> None:
    instance, without = EXAMPLES[name].instance, EXAMPLES[name].without
    path = "constraints.kind" if name in OF_KINDS else name
    assert any(value != default_of(field) for value, field in values(instance, path.split(".")))
    assert number_of(instance)
    assert without is None or number_of(read(without)) != number_of(instance)


# The writers. Each returns the number of tilings of what it wrote, read back, and may put files into the folder.

Write = Callable[[Instance, Path], int]


def content_of(language: str, instance: Instance, model: str = "") -> dict[str, str]:
    written = writing.write(WriteRequest(language, writing.model_of(language, model), ["a title"]), BoardCover.of(instance))
    return {ending: "".join(f"{line}\n" for line in lines) for ending, lines in written.files.items()}  # type: ignore[str-bytes-safe]


def by_clauses(language: str) -> Write:
    """Count the models of a CNF that differ in the variables with a meaning."""

    def count(instance: Instance, folder: Path) -> int:
        lines = content_of(language, instance)[language].splitlines()
        meant = [int(found[1]) for line in lines if (found := re.match(r"c (\d+) \{", line))]
        hard = [line.removeprefix("h ") for line in lines if line[0] in "-h0123456789"]
        clauses = [[int(word) for word in line.split()[:-1]] for line in hard]
        found = 0
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            if [] in clauses:
                return 0
            while solver.solve():
                model = set(solver.get_model())
                found += 1
                solver.add_clause([-v if v in model else v for v in meant])
        return found

    return count


def zero_one(columns: int) -> NDArray[np.int64]:
    """All rows of zeros and ones, shape (2 ** columns, columns)."""
    assert columns <= 18
    return np.arange(1 << columns)[:, None] >> np.arange(columns) & 1


def by_opb(instance: Instance, folder: Path) -> int:
    lines = content_of("opb", instance)["opb"].splitlines()
    columns = int(re.search(r"#variable= (\d+)", lines[0])[1])  # type: ignore[index]
    meant = [int(found[1]) - 1 for line in lines if (found := re.match(r"\* x(\d+) \{", line))]
    every = zero_one(columns)
    holds = np.ones(len(every), bool)
    for line in lines:
        if not line.startswith(("*", "min:")):
            row = np.zeros(columns, int)
            for weight, column in re.findall(r"([+-]\d+) x(\d+) ", line):
                row[int(column) - 1] += int(weight)
            operator, bound = re.search(r" (>=|=) (-?\d+) ;$", line).groups()  # type: ignore[union-attr]
            sums = every @ row
            holds &= sums == int(bound) if operator == "=" else sums >= int(bound)
    return len(np.unique(every[holds][:, meant], axis=0))


def by_program(language: str) -> Write:
    """Count the solutions of an LP or MPS file, as HiGHS reads it."""

    def count(instance: Instance, folder: Path) -> int:
        content = content_of(language, instance)[language]
        path = folder / f"a.{language}"
        path.write_text(content)
        meant = {found[1] for found in re.finditer(r"^[*\\] (x\d+) \{", content, re.M)}
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
        model = highs.getLp()
        every = zero_one(model.num_col_)
        sums = np.zeros((model.num_row_, len(every)))
        starts, index, value = model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_
        for column in range(model.num_col_):
            for k in range(starts[column], starts[column + 1]):
                sums[index[k]] += value[k] * every[:, column]
        holds = ((sums >= np.array(model.row_lower_)[:, None]) & (sums <= np.array(model.row_upper_)[:, None])).all(axis=0)
        shown = [column for column, called in enumerate(model.col_names_) if called in meant]
        return len(np.unique(every[holds][:, shown], axis=0))

    return count


def data_of(instance: Instance, model: str = "") -> dict[str, Any]:
    """The data of MiniZinc: numbers, lists, and sets as lists."""
    found = {}
    content = content_of("mzn", instance, model)["dzn"].replace("; ", ";\n")
    for name, value in re.findall(r"^(\w+) = ([^;]*);", content, re.M):
        written = re.sub(r"(\d+)\.\.(\d+)", r"[\1, \2]", value).replace("{", "[").replace("}", "]")
        written = "[[" + written[2:-2].replace("|", "], [") + "]]" if written.startswith("[|") else written
        found[name] = plain_json.loads(re.sub(r",\s*\]", "]", written)) if '"' not in written else written
    return found


def by_minizinc(instance: Instance, folder: Path) -> int:
    data = data_of(instance)
    every = zero_one(data["placements"])
    cells = np.zeros((data["placements"], data["cells"]), int)
    for placement, covered in enumerate(data["covers"]):
        cells[placement, np.array(covered) - 1] = 1
    tiles = np.equal.outer(np.array(data["tile"]), np.arange(1, data["tiles"] + 1)).astype(int)
    holds = (every @ cells == 1).all(axis=1)
    used = every @ tiles
    holds &= (used >= data["lower"]).all(axis=1) & (used <= data["upper"]).all(axis=1)
    given = list(zip(data["by"], data["on"], data["gives"], strict=True))
    for side in range(1, data["sides"] + 1):
        by_mark = [[by - 1 for by, on, gives in given if (on, gives) == (side, mark)] for mark in range(1, data["marks"] + 1)]
        holds &= np.sum([every[:, giving].any(axis=1) for giving in by_mark], axis=0) <= 1
    return int(holds.sum())


def by_geost(instance: Instance, folder: Path) -> int:
    """Place every copy in all ways that the table allows, and keep those in which rectangles do not overlap. Unit squares
    cover the same points as the rectangles."""
    data, squares = data_of(instance, "geost"), data_of(instance, "geost-squares")
    assert {(height, width) for height, width in squares["size"]} == {(1, 1)}

    def points(shape: int, row: int, column: int, data: dict[str, Any] = data) -> set[tuple[int, int]]:
        first, last = data["made_of"][shape - 1]
        found = set()
        for (height, width), (down, right) in zip(data["size"][first - 1 : last], data["offset"][first - 1 : last], strict=True):
            found |= {(row + down + i, column + right + j) for i in range(height) for j in range(width)}
        return found

    shapes = range(1, data["shapes"] + 1)
    assert [points(shape, 0, 0) for shape in shapes] == [points(shape, 0, 0, squares) for shape in shapes]

    def ways(copy: int, before: list[int], covered: set[tuple[int, int]], area: int) -> int:
        """The number of ways to place this copy and the later ones."""
        if copy == len(data["allowed"]):
            return int(area == data["area"])
        is_first = not copy or data["tile"][copy] != data["tile"][copy - 1]
        found = 0
        for lies in data["lies"]:
            waits = lies[0] == 1
            there = points(*lies)
            if lies[0] not in data["allowed"][copy] or there & covered or (waits and lies[1] != data["height"] + copy):
                continue
            if waits or is_first or (before[0] > 1 and before[1:] < lies[1:]):
                found += ways(copy + 1, lies, covered | there, area + data["cells"][lies[0] - 1])
        return found

    return ways(0, [], set(), 0)


def by_dlx(instance: Instance, folder: Path) -> int:
    found = solve_cover(dlx.parse(content_of("dlx", instance)["dlx"]), "dlx", COUNT).result.count
    assert found is not None
    return found


def by_burrtools(instance: Instance, folder: Path) -> int:
    return number_of(xmpuzzle.parse(xmpuzzle.write(instance)).instance)


def same(again: Instance, instance: Instance) -> int:
    """All fields must read back; but the name of a text is its file's."""
    for path in leaves(Instance):
        if path != "name":
            there, here = ([value for value, _ in values(each, path.split("."))] for each in (again, instance))
            assert there == here
    assert again == instance
    return number_of(again)


def by_text(instance: Instance, folder: Path) -> int:
    return same(text.parse(text.write(instance)), instance)


def by_json(instance: Instance, folder: Path) -> int:
    again = json.parse(json.write(instance))
    assert again.name == instance.name
    return same(again, instance)


WRITERS: dict[str, Write] = {
    **{language: by_clauses(language) for language in ("cnf", "wcnf", "mc", "pmc", "wmc", "pwmc")},
    "opb": by_opb,
    "lp": by_program("lp"),
    "mps": by_program("mps"),
    "mzn": by_minizinc,
    "geost": by_geost,
    "dlx": by_dlx,
    "xmpuzzle": by_burrtools,
    "text": by_text,
    "json": by_json,
}
#: What a format cannot say, and words of its refusal.
REFUSED: dict[tuple[str, str], str] = {
    **{("xmpuzzle", kind): "constraints" for kind in (*KINDS, *(f"constraints.{field.name}" for field in fields(Constraint)))},
    ("xmpuzzle", "wrap.vectors"): "a wrapped board",
    ("xmpuzzle", "turning"): "BurrTools turns all pieces",
    ("xmpuzzle", "crossing"): "no grid for the square-edges lattice",
    ("xmpuzzle", "tiles.lattice"): "no grid for the hexagonal lattice",
    ("xmpuzzle", "tiles.weight"): "weights of tiles",
    ("xmpuzzle", "tiles.paint.front.marks"): "marks on its sides",
    ("xmpuzzle", "tiles.paint.back.marks"): "marks on its sides",
    ("xmpuzzle", "tiles.paint.back.colours"): "looks different from behind",
    ("xmpuzzle", "open"): "how many cells stay open",
    ("xmpuzzle", "groups.name"): "groups of them",
    ("xmpuzzle", "groups.cells"): "groups of them",
    ("xmpuzzle", "ground.border"): "marks",
    ("xmpuzzle", "ground.mates"): "marks",
    ("geost", "wrap.vectors"): "geost knows no wrapped boards",
    ("geost", "crossing"): "geost knows no corners in which tiles must not cross",
    **{("geost", f"{kind}.marks"): "geost knows no marks" for kind in ("tiles.paint.front", "tiles.paint.back")},
    ("geost", "ground.mates"): "geost knows no marks",
    # The count of all models is refused where clauses about bounds have models of their own.
    **{(kind, field): "multiply models" for kind in ("mc", "wmc") for field in ("tiles.at_most", "tiles.at_least", "open")},
}


def test_every_language_has_a_writer_here() -> None:
    assert WRITERS.keys() >= LANGUAGES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_written_is_the_question_or_it_is_refused(writer: str, name: str, tmp_path: Path) -> None:
    instance, write = EXAMPLES[name].instance, WRITERS[writer]
    wanted = REFUSED.get((writer, name))
    if wanted is None:
        assert write(instance, tmp_path) == number_of(instance)
        return
    with pytest.raises(TilerError, match=re.escape(wanted)) as refused:
        write(instance, tmp_path)
    assert "\n" not in str(refused.value)

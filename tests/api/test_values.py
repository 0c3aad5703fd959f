"""What the functions about tiles, shapes, problems and solvers give: it draws, prints and saves itself, and commands print it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from commands import call

import tiler
from tiler.errors import BadArgument, BadOption, InputError, TilerError

#: By the command that prints it.
ASKED: dict[str, Callable[[], Any]] = {
    "rectangles 3L --up-to 6": lambda: tiler.rectangles("3L", up_to=6),
    "rectangles 1:2 2x2x2 --up-to 4": lambda: tiler.rectangles("2x2x2", up_to=4),
    "plane 5F --reflections": lambda: tiler.plane("5F", reflections=True),
    "plane xxx/x.x/xxx --coronas 1 --up-to 8": lambda: tiler.plane("xxx/x.x/xxx", coronas=1, up_to=8),
    "plane 3-1 --lattice hexagonal": lambda: tiler.plane("3-1", lattice="hexagonal"),
    "series 4xn 2 3I": lambda: tiler.series("4xn", "2", "3I"),
    "unique 4x4 2": lambda: tiler.unique(tiler.make("4x4", "2")),
    "hint 4x4 2": lambda: tiler.hint(tiler.make("4x4", "2")),
    "shapes 5F tetrominoes": lambda: tiler.shapes("5F", "tetrominoes"),
    "shapes hexiamonds": lambda: tiler.shapes("hexiamonds"),
    "shapes": tiler.shapes,
    "problems --family classic soma": lambda: tiler.problems("soma", families=["classic"]),
    "solvers coloring": lambda: tiler.solvers("coloring"),
    "solvers": tiler.solvers,
}
DRAWN = [words for words in ASKED if not words.startswith(("series", "solvers", "plane xxx"))]


@cache
def asked(words: str) -> Any:
    return ASKED[words]()


@pytest.mark.parametrize("words", [words for words in ASKED if "1:2" not in words])
def test_the_command_prints_the_value(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, *words.split())
    # The command also says how to solve a puzzle that it has made.
    written = "".join(line for line in out.splitlines(keepends=True) if not line.startswith("solve it: "))
    assert (status, written) == (0, f"{asked(words)}\n")
    assert "\n" not in repr(asked(words))


@pytest.mark.parametrize("words", DRAWN)
def test_it_draws_and_saves_itself(words: str, tmp_path: Path) -> None:
    value = asked(words)
    drawn = value._repr_svg_()
    assert ET.fromstring(drawn).tag.endswith("svg")
    for ending, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("txt", str(value).encode()[:9])):
        value.save(tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").read_bytes().startswith(begins)
    if hasattr(value, "json"):
        value.save(tmp_path / "x.json")
        assert [json.loads(line) for line in (tmp_path / "x.json").read_text().splitlines()]
    with pytest.raises(BadOption, match="its name must end in"):
        value.save(tmp_path / "x.gif")


def test_what_they_say() -> None:
    found = asked("rectangles 3L --up-to 6")
    assert [prime.sides for prime in found.primes] == [(2, 3)]
    assert (found.order, found.is_least, found.is_open, found.stop) == (2, True, False, "done")
    assert [len(tiling) for tiling in found.tilings] == [2]
    around = asked("plane xxx/x.x/xxx --coronas 1 --up-to 8")
    assert around._repr_svg_() is None
    assert (around.status, around.period, around.heesch) == ("unsat", None, 0)
    tiled = asked("plane 5F --reflections")
    assert tiled.status == "sat"
    assert tiled.tiling is not None
    assert len(tiled.tiling.to_numpy().nonzero()[0]) == 5 * len(tiled.tiling)
    puzzle = asked("unique 4x4 2")
    assert tiler.count(puzzle.instance, up_to_symmetry=True) == 1
    assert set(puzzle.fixed) <= set(puzzle.solution)
    assert [each.name for each in tiler.solvers("fila", "dlx")] == ["fila", "dlx"]
    assert tiler.solvers("dlx")[0].is_installed
    assert "order" in tiler.solvers("dlx")[0].options


def test_puzzles_are_read_back(tmp_path: Path) -> None:
    puzzle = asked("unique 4x4 2")
    puzzle.save(tmp_path / "puzzle.problem")
    assert tiler.read(tmp_path / "puzzle.problem") == puzzle.instance


def test_records_are_gone_on_from(tmp_path: Path) -> None:
    first = tiler.rectangles("3L", up_to=4, records=tmp_path / "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text()
    again = tiler.rectangles("3L", up_to=4, records=tmp_path / "r.jsonl")
    assert [(each.sides, each.status, each.tiling) for each in again.verdicts] == [
        (each.sides, each.status, each.tiling) for each in first.verdicts
    ]
    assert (tmp_path / "r.jsonl").read_text() == lines


def test_files_and_lists_are_compared(tmp_path: Path) -> None:
    p = tiler.make("4x3", "2")
    every = list(tiler.tilings(p))
    for tiling in every[:3]:
        tiling.save(tmp_path / "one.json")
        with (tmp_path / "few.json").open("a") as out:
            out.write((tmp_path / "one.json").read_text())
    found = tiler.compare(every, tmp_path / "few.json")
    assert (found.both, found.same, found.first.only) == (3, False, tuple(range(4, 12)))
    assert tiler.compare(every, reversed(every)).same
    found.save(tmp_path / "compared.json")
    assert (tmp_path / "compared.json").read_text() == found.json()
    for wrong in (3, [3], [p]):
        with pytest.raises(BadArgument, match="first: "):
            tiler.compare(wrong, every)  # type: ignore
    with pytest.raises(InputError, match="second: there is no tiling in it"):
        tiler.compare(every, [])


def test_limits_and_ctrl_c() -> None:
    def press(progress: tiler.Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for ask, kind in (
            (lambda: tiler.rectangles("5Y", reflections=True, progress=press), tiler.FilledRectangles),
            (lambda: tiler.plane("5F", reflections=True, progress=press), tiler.PlaneTiling),
            (lambda: tiler.series("4xn", "2", progress=press), type(None)),
            (lambda: tiler.unique(tiler.make("6x6", "2"), progress=press), type(None)),
        ):
            with pytest.raises(tiler.Interrupted) as caught:
                ask()
            assert isinstance(caught.value.answer, kind)
    finally:
        signal.signal(signal.SIGINT, before)
    assert tiler.rectangles("5Y", reflections=True, memory=1).stop == "memory"
    assert tiler.plane("5F", reflections=True, memory=1).stop == "memory"
    with pytest.raises(tiler.Unfinished, match="the memory limit is reached"):
        tiler.unique(tiler.make("6x6", "2"), memory=1)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: tiler.rectangles("3:3L"), "any number of copies"),
        (tiler.rectangles, "tiles: there is none"),
        (lambda: tiler.rectangles("3L", seconds_each=0), "seconds_each=0: it must be a number above 0"),
        (lambda: tiler.plane("1x1x2"), "the plane is tiled by flat tiles"),
        (lambda: tiler.series("4x4", "2"), "'4x4' is no board of any length; write 4xn"),
        (lambda: tiler.series("4xn"), "tiles: there is none"),
        (lambda: tiler.unique(tiler.make("3x3", "2")), "there is no tiling, so no puzzle can be made"),
        (lambda: tiler.shapes("pentaminoes"), "nearest: pentominoes"),
        (lambda: tiler.problems(families=["clasic"]), "no family is called 'clasic'; nearest: classic"),
        (lambda: tiler.problems(tags="classic"), "tags='classic': it must be a list of texts"),
        (lambda: tiler.solvers("dxl"), "unknown solver 'dxl'; nearest: dlx"),
    ],
)
def test_what_is_wrong_is_said(ask: Callable[[], object], why: str) -> None:
    with pytest.raises(TilerError) as caught:
        ask()
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_problem_is_printed_as_a_drawing() -> None:
    problem = tiler.make("3x2", "2", "1:1")
    assert str(problem).splitlines()[1::2] == ["│ ·   ·   · │", "│ ·   ·   · │", "2 1:1"]
    assert f"{problem!r}" == "Instance(3x2 2 1:1: 6 cells, 2 tiles)"


def test_several_tilings_are_drawn_together() -> None:
    problem = tiler.make("4x4", "2")
    drawn = [tiler.sample(problem, 3), tiler.TilingSet.of(problem).sample(3), next(tiler.tilings(problem).blocks())]
    for each in drawn:
        picture = each._repr_svg_()
        assert ET.fromstring(picture).tag.endswith("svg")
    three = tiler.sample(problem, 3)
    assert three == tuple(three)
    assert len(three._repr_svg_()) > 2 * len(three[0]._repr_svg_())
    assert tiler.sample(tiler.make("3x3", "2"), 3) == ()
    many = tiler.TilingSet.of(problem)[:]
    assert len(many) == 36
    assert many._repr_svg_() == many[:24]._repr_svg_()


def test_tilings_and_solvers_say_what_they_are() -> None:
    tilings = tiler.tilings(tiler.make("4x4", "2"))
    assert repr(tilings) == "Tilings(of 4x4 2, one by one in a loop; not begun)"
    next(tilings)
    assert repr(tilings) == "Tilings(of 4x4 2, one by one in a loop; begun)"
    tilings.close()
    shown = tiler.solvers("dlx", "coloring")._repr_html_()
    rows = ET.fromstring(shown).findall("tr")
    assert [row[0].text for row in rows] == ["solver", "dlx", "coloring"]
    assert "decide, prove" in shown

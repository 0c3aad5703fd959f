"""Hints: the next piece is one that lies in every tiling, if there is one, by a brute force over all tilings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from brute_force import allowed_tilings
from commands import call

import tiler
from tiler.apps.puzzles import hint
from tiler.errors import InputError
from tiler.model.constraints import parse
from tiler.model.expected import Status
from tiler.model.instance import Instance

PROBLEMS = [
    ("4x3", "2"),
    ("5x2", "2", "3L"),
    ("3x3", "1:V", "1:4O", "1:2"),
    ("5x3", "1:5P", "1:5U", "1:5Y"),
    ("4x2", "1:2", "1:3I", "1:3L"),
    ("3x3", "4O"),
]


def with_placed(instance: Instance, *placed: str) -> Instance:
    return replace(instance, constraints=tuple(parse("place", text) for text in placed))


@pytest.mark.parametrize("shapes", PROBLEMS, ids=" ".join)
def test_a_whole_puzzle_by_hints(shapes: tuple[str, ...]) -> None:
    """Each hint is followed, until every piece is placed."""
    instance = tiler.make(*shapes, reflections=True)
    placed: list[str] = []
    for _ in range(9):
        asked = with_placed(instance, *placed)
        tilings = [{cells for _, cells in tiling} for tiling in allowed_tilings(asked)]
        found = tiler.hint(asked)
        assert (found.status is Status.SAT) == bool(tilings)
        if found.placement is None:
            break
        before = {placement.cells for placement in hint.placed(asked)}
        forced = set.intersection(*tilings) - before
        assert found.is_forced == bool(forced)
        assert found.placement.cells in (forced or set.union(*tilings) - before)
        placed.append(found.notation)
    assert found.placement is None
    assert str(found).partition(":")[0] == ("no piece is left to place" if tilings else "there is no tiling\nwhy not")


def test_a_piece_that_need_not_be_used_is_not_forced() -> None:
    assert not tiler.hint(tiler.make("2x1", "2", open=2)).is_forced
    assert not tiler.hint(tiler.make("3x1", "2", "1:1", open=1)).is_forced


def test_what_a_limit_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, asked = hint.solve, []

    def ends_soon(*args: object, **kwargs: object) -> object:
        asked.append(args)
        return ask(*args, **{**kwargs, "on_tick": lambda progress: len(asked) < 3})  # type: ignore[arg-type]

    monkeypatch.setattr(hint, "solve", ends_soon)
    found = hint.find(tiler.make("4x3", "2"))
    assert (found.status, found.is_forced, len(asked)) == (Status.SAT, None, 3)
    assert "a limit ended the search" in str(found)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "hint", "3x2", "3I")
    assert (status, out.splitlines()[0]) == (0, "place 3I 0,0 0,1 0,2: it lies there in every tiling")
    status, out, _ = call(capsys, "hint", "4x1", "2", "--place", "2 0,1 0,2")
    why = "no piece can cover the cells 0,0 0,3"
    assert (status, out) == (0, f"there is no tiling with these pieces: take one back\nwhy not: {why}\n")
    with pytest.raises(InputError, match="on the same cells with other colours"):
        tiler.hint(tiler.make("2x1", "2 = 2 [a . . . . .] [. . . . . .]"))


def test_in_how_many_ways_it_can_be_finished() -> None:
    for shapes in PROBLEMS:
        instance = tiler.make(*shapes, reflections=True)
        assert tiler.hint(instance).tilings == len(allowed_tilings(instance))
    assert "the board can be finished in 36 ways" in str(tiler.hint(tiler.make("4x4", "2")))


def test_why_it_cannot_be_finished() -> None:
    found = tiler.hint(with_placed(tiler.make("8x8", "2", "2:1"), "1 0,0", "1 7,7"))
    assert found.why is not None
    assert (found.tilings, found.why.kind) == (0, "colouring")
    assert "every 2 covers exactly 1 black cell" in str(found)
    assert found.summary()["why"]["colours"][0] == [(0, 1), 1]


@pytest.mark.parametrize("place", ["2 0,0 0,1", "2 0,1 0,2"])
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_it_is_drawn(form: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / f"hint.{form}"
    status, out, _ = call(capsys, "hint", "4x1", "2", "--place", place, "-o", str(picture))
    words = "the board can be finished in 1 way" if place.startswith("2 0,0") else "no piece can cover the cells 0,0 0,3"
    assert (status, words in out, picture.read_bytes()[:4] in (b"<svg", b"\x89PNG", b"%PDF")) == (0, True, True)
    assert form != "svg" or words.split()[-2] in picture.read_text()

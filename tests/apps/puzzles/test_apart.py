"""`tiler apart`, `--takes-apart`, and what `Tiling.apart` gives back."""

from __future__ import annotations

import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import NOT_TURNED, call
from PIL import Image

import tiler
from tiler import formats
from tiler.apps.puzzles.apart.of_tiling import disassembly_of
from tiler.errors import BadOption, InputError, Unfinished
from tiler.formats import text
from tiler.model.lattice import move
from tiler.render.scene import Label

#: A drawer: the square comes out of the ring, and then the domino, which lies to its left.
DRAWER = "6x3\n\n1:\nxxxxxx\nx....x\nxxx..x\n\n1:4O\n1:2\n"
#: The ring is closed.
CLOSED = "6x3\n\n1:\nxxxxxx\nx....x\nxxxxxx\n\n1:4I\n"

SAID = """\
comes apart: level 1.2, 3 moves

4O off tile1 and 2, 1 move
    1  4O: up and off

2 off tile1, 2 moves
    2  2: left 2
    3  2: up and off
"""

Call = Any


@pytest.fixture
def drawer(tmp_path: Path) -> str:
    path = tmp_path / "drawer.txt"
    path.write_text(DRAWER)
    return str(path)


@pytest.fixture
def closed(tmp_path: Path) -> str:
    path = tmp_path / "closed.txt"
    path.write_text(CLOSED)
    return str(path)


def test_the_moves_are_told(drawer: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "apart", drawer)
    assert (status, err) == (0, NOT_TURNED)
    assert out.endswith(SAID)
    assert "\nA tile1, B 4O, C 2\n" in out


def test_what_does_not_come_apart(closed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "apart", closed)[:2] == (0, "does not come apart: tile1 and 4I cannot be separated\n")
    assert call(capsys, "apart", "4x4", "3I")[1] == "unsat: there is no tiling\n"
    assert call(capsys, "solve", closed, "--takes-apart")[1].startswith("unsat: there is no tiling")
    assert call(capsys, "count", closed, "--takes-apart")[1] == "0\n"
    assert call(capsys, "count", closed)[1] == "1\n"


def test_all_tilings_and_their_levels(drawer: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The ring also lies the other way round, which is the same up to symmetry."""
    out = call(capsys, "apart", drawer, "--all")[1]
    assert "1 tiling looked at, 1 comes apart\n      1  level 1.2\n" in out
    data = json.loads(call(capsys, "apart", drawer, "--all", "--format", "json")[1])
    assert data["found"] == [{"levels": [1, 2], "tilings": 1}]
    assert (data["looked_at"], data["comes_apart"], data["stop"], data["moves"]) == (1, True, "done", 3)
    moves = [move for each in data["separations"] for move in each["moves"]]
    assert [each["off"] for each in moves] == [True, False, True]
    assert call(capsys, "count", drawer, "--takes-apart")[1] == call(capsys, "count", drawer)[1]


def test_the_highest_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    out = json.loads(call(capsys, "apart", "burrs/dubois_s", "--all", "--format", "json")[1])
    assert (out["looked_at"], out["found"], out["levels"][:2]) == (2, [{"levels": [6, 4, 1, 1, 1], "tilings": 1}], [6, 4])


def test_tilings_of_a_file(drawer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = str(tmp_path / "found.json")
    assert call(capsys, "solve", drawer, "--all", "-o", found)[0] == 0
    assert (
        "2 tilings looked at, 2 come apart\n      2  level 1.2\n" in call(capsys, "apart", drawer, "--tilings", found, "--all")[1]
    )
    status, _, err = call(capsys, "apart", "6x3", "2", "--tilings", found)
    assert (status, f"{found}, line 1: no tiling of this problem" in err) == (2, True)


#: The drawer on the grid of bricks; the pieces in the order box, square, domino.
SQUARE = '<voxel x="2" y="2" z="1" name="square" type="0">####</voxel>'
DOMINO = '<voxel x="1" y="2" z="1" name="domino" type="0">##</voxel>'
#: With a lid above and below, so that there is one way out.
LIDDED = '<voxel x="6" y="3" z="3" name="box" type="0">##################' + "###__##____#######" + "##################</voxel>"


def burr(solution: str, group: str = "") -> bytes:
    """A file of BurrTools, with what is stored about its one solution."""
    whole = f'<voxel x="6" y="3" z="3" name="whole" type="0">{"#" * 54}</voxel>'
    parts = f'<shape id="1" count="1"{group}/><shape id="2" count="1"{group}/><shape id="3" count="1"/>'
    return gzip.compress(
        f'<puzzle version="2"><gridType type="0"/><colors/><shapes>{whole}{LIDDED}{SQUARE}{DOMINO}</shapes><problems>'
        f'<problem state="2" assemblies="1"><shapes>{parts}</shapes><result id="0"/><bitmap/>'
        f"<solutions>{solution}</solutions></problem></problems><comment/></puzzle>".encode()
    )


def states(number: int) -> str:
    return "<state><dx>0</dx><dy>0</dy><dz>0</dz></state>" * number


#: The domino lies along x: turned by a quarter about z, which takes y to -x.
ASSEMBLY = "<assembly>0 0 0 0 3 0 1 0 2 1 1 16</assembly>"
SEPARATION = (
    f'<separation><pieces count="3">0 1 2</pieces>{states(2)}'
    f'<separation type="left"><pieces count="2">0 2</pieces>{states(3)}</separation></separation>'
)


@pytest.mark.parametrize(
    ("moves", "status", "said"),
    [
        (SEPARATION, 0, "1: stored 1.2, 3 moves; comes apart: level 1.2, 3 moves\n"),
        ("<separationInfo>2 3 0 0 0</separationInfo>", 0, "1: stored 1.2, 3 moves; comes apart: level 1.2, 3 moves\n"),
        ("<separationInfo>4 3 0 0 0</separationInfo>", 0, "1: stored 3.2, 5 moves; comes apart: level 1.2, 3 moves\n"),
        ("", 0, "1: comes apart: level 1.2, 3 moves; no moves are stored\n"),
    ],
)
def test_solutions_stored_by_burrtools(
    moves: str, status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.xmpuzzle"
    path.write_bytes(burr(f"<solution>{ASSEMBLY}{moves}</solution>"))
    told = call(capsys, "apart", str(path), "--stored")
    assert (told[0], told[1].startswith(said)) == (status, True)


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        (ASSEMBLY.replace("16", "20"), "no tiling of this problem"),
        (ASSEMBLY.replace("16", "24"), "turned as number 24; there are 24 turns, from 0"),
        ("<assembly>0 0 0</assembly>", "each piece has four numbers, or x"),
    ],
)
def test_stored_solutions_that_are_none(solution: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.xmpuzzle"
    path.write_bytes(burr(f"<solution>{solution}</solution>"))
    status, _, err = call(capsys, "apart", str(path), "--stored")
    assert (status, said in err) == (2, True)


def test_fewer_moves_stored_than_there_can_be_are_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the square the domino comes out in two moves; one is stored."""
    whole = LIDDED.replace("###__##____#######", "###++##++++#######")
    path = tmp_path / "p.xmpuzzle"
    path.write_text(
        f'<puzzle version="2"><gridType type="0"/><colors/><shapes>{whole}{LIDDED}{DOMINO}</shapes><problems><problem state="2">'
        '<shapes><shape id="1"/><shape id="2"/></shapes><result id="0"/><bitmap/><solutions><solution>'
        "<assembly>0 0 0 0 2 1 1 16</assembly><separationInfo>2 0 0</separationInfo>"
        "</solution></solutions></problem></problems><comment/></puzzle>"
    )
    status, out, _ = call(capsys, "apart", str(path), "--stored")
    assert (status, out.splitlines()[0]) == (4, "1: stored 1, 1 move; comes apart: level 2, 2 moves: wrong")
    status, out, err = call(capsys, "apart", "6x3", "2", "--stored")
    assert (status, out, "this is no file" in err) == (2, "", True)


def test_groups_are_read_and_written() -> None:
    from tiler.formats import xmpuzzle

    instance = xmpuzzle.parse(burr("", group=' group="1"')).instance
    assert instance.together == (("box", "square"),)
    again = xmpuzzle.parse(xmpuzzle.write(instance)).instance
    assert again == instance
    assert again.together == instance.together
    assert formats.json.parse(formats.json.write(instance)) == instance
    assert text.parse(text.write(instance)) == instance
    assert xmpuzzle.parse(burr("")).instance != instance
    assert xmpuzzle.parse(burr("")).instance.digest != instance.digest


def test_tiles_that_may_stay_together() -> None:
    tiling = tiler.solve(formats.parse(CLOSED)).tiling
    assert tiling is not None
    assert not tiling.apart().comes_apart
    kept = formats.parse("# together: 4I tile1\n" + CLOSED)
    assert kept.together == (("tile1", "4I"),)
    found = tiler.solve(kept, features=["takes-apart"]).tiling
    assert found is not None
    assert (found.apart().comes_apart, found.apart().levels) == (True, ())
    with pytest.raises(InputError, match="together: there is no tile X"):
        formats.parse("# together: 4I X\n" + CLOSED)
    with pytest.raises(InputError, match="'together' is"):
        formats.parse('{"board": "2x2", "tiles": ["2"], "together": ["2"]}')


def test_files(tmp_path: Path, drawer: str, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tiler.solve(tiler.read(drawer), features=["takes-apart"]).tiling.apart()  # type: ignore[union-attr]
    for ending, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("gif", b"GIF8"), ("html", b"<!DOCTYPE")):
        path = tmp_path / f"apart.{ending}"
        taken.save(path)
        assert path.read_bytes().startswith(begins)
    assert call(capsys, "apart", drawer, "-o", str(tmp_path / "again.gif"))[1] == "comes apart: level 1.2, 3 moves\n"
    assert (tmp_path / "again.gif").read_bytes().startswith(b"GIF8")
    assert call(capsys, "apart", drawer, "--format", "gif")[0] == 2
    with pytest.raises(BadOption, match="its name must end in"):
        taken.save("x.jpg")


def test_a_moving_picture_shows_every_step(drawer: str) -> None:
    taken = tiler.solve(tiler.read(drawer)).tiling.apart()  # type: ignore[union-attr]
    steps = taken.stages(single_steps=True)
    picture = Image.open(io.BytesIO(taken.gif()))
    assert picture.n_frames == len(steps)  # type: ignore[attr-defined]
    shown = [frozenset(stage.moved) for stage in steps]
    assert shown[0] == frozenset(range(3))
    assert [each for each in shown if len(each) == 2] == shown[-len([each for each in shown if len(each) == 2]) :]
    # No two pieces are on one cell at any step.
    for stage in steps:
        cells = [move(taken.tiling[piece].cells, by) for piece, by in stage.moved.items()]
        assert len(frozenset().union(*cells)) == sum(map(len, cells))


def test_the_page_has_a_stage_for_every_move(drawer: str) -> None:
    taken = tiler.solve(tiler.read(drawer)).tiling.apart()  # type: ignore[union-attr]
    page = taken.html()
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert data["moves"][0]["said"] == "all together"
    assert len([each for each in data["moves"] if each["said"][0].isdigit()]) == taken.found.moves
    assert all(len(each["at"]) == len(taken.tiling) for each in data["moves"])


def test_limits_and_refusals(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "apart", "hex:2", "x.x", "--lattice", "hexagonal")[0] == 2
    assert "no space around it" in call(capsys, "apart", "4x4", "2", "--wrap", "rows")[2]
    assert call(capsys, "count", "4x4", "2", "--wrap", "rows", "--takes-apart")[0] == 2
    status, out, _ = call(capsys, "apart", "burrs/loves-dozen_s", "--all", "--time-limit", "1ms")
    assert (status, "unknown (the time limit is over)" in out) == (3, True)
    tiling = tiler.solve(tiler.read("problems/burrs/dubois_s.txt"), solver="dlx").tiling
    assert tiling is not None
    with pytest.raises(Unfinished, match="it is not known whether the pieces come apart"):
        tiling.apart(seconds=1e-6)


def test_an_instance_that_cannot_be_taken_apart() -> None:
    instance = tiler.make("hex:2", "x.x", "x", lattice="hexagonal")
    tiling = tiler.solve(instance).tiling
    assert tiling is not None
    with pytest.raises(BadOption, match="the hexagonal lattice has none like that"):
        disassembly_of(instance, tiling.placements)


@pytest.mark.parametrize("every", [[], ["--all"]])
def test_what_is_drawn_and_what_is_said_beside_it(
    drawer: str, closed: str, every: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "apart.html"
    overview = "1 tiling looked at, 1 comes apart\n      1  level 1.2\n\n" if every else ""
    told = 0, f"{overview}comes apart: level 1.2, 3 moves\n", NOT_TURNED
    assert call(capsys, "apart", drawer, *every, "-o", str(page)) == told
    none = "1 tiling looked at, 0 come apart\n\n" if every else ""
    page.unlink()
    said = call(capsys, "apart", closed, *every, "-o", str(page))
    assert said == (
        0,
        f"{none}does not come apart: tile1 and 4I cannot be separated\n",
        f"tiler: {page} is not written\n",
    )
    assert call(capsys, "apart", closed, "-o", "-", "--format", "svg")[2].endswith("cannot be separated; nothing to draw\n")


def test_that_none_comes_apart_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "closed.txt"
    file.write_text("6x3\n\n1:\nxxxxxx\nx....x\nxxxxxx\n\n1:2\n2:1\n")
    assert call(capsys, "apart", str(file), "--all")[1] == "2 tilings looked at, 0 come apart\n"
    assert call(capsys, "apart", str(file))[1] == "none of the 2 tilings comes apart\n"


def test_pieces_whose_names_are_numbers_have_letters() -> None:
    instance = formats.read("burrs/piston_s")
    taken = tiler.solve(instance, features=["takes-apart"]).tiling.apart()
    steps = taken.stages()
    meant = re.fullmatch(r"all together: A (.*), B (.*), C (.*), D (.*), E (.*), F (.*)", steps[0].said)
    assert meant is not None
    assert sorted(meant.groups()) == ["1008 #1", "1008 #2", "512", "768", "88", "922"]
    assert all(not re.search("[0-9]{3}", step.said) for step in steps[1:])
    drawn = taken.page()
    letters = [
        {mark.said for mark in panel.marks if isinstance(mark, Label) and len(mark.said) == 1} for panel, _ in drawn.placed
    ]
    assert letters[0] == set("ABCDEF")
    assert all(some <= set("ABCDEF") for some in letters)
    assert "512" in taken.summary()["pieces"]  # For programs, pieces keep their names.

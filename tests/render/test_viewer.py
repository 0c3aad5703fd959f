"""Galleries, and the page for a browser: what is in it, and what a browser makes of it, where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

import pytest
from commands import call

from tiler import formats
from tiler.ask.solve import solve
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question
from tiler.render import gallery, pages, scene, viewer

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

#: Presses keys and moves sliders, and writes down what was said after each.
DRIVER = """<script>
const heard = [];
const hear = () => heard.push(document.getElementById("said").textContent);
const press = (key) => { document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); hear(); };
const slide = (id, value) => {
  const input = document.getElementById(id);
  input.value = value;
  input.dispatchEvent(new Event("input"));
  hear();
};
const point = () => {
  const piece = document.querySelector("#stage .piece path");
  piece.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  heard.push(document.getElementById("pointed").textContent);
};
hear();
ACTIONS
const rows = document.querySelectorAll("#rows tr").length;
const drawn = document.querySelectorAll("#stage .piece").length;
const canvas = document.querySelector("#stage canvas");
const colours = new Set();
const beyond = document.documentElement.scrollHeight - innerHeight;
let rim = 0;
if (canvas) {
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  copy.getContext("2d").drawImage(canvas, 0, 0);
  const pixels = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height).data;
  for (let k = 0; k < pixels.length; k += 400) colours.add(pixels.slice(k, k + 3).join());
  const [wide, high] = [copy.width, copy.height];
  for (let k = 0; k < pixels.length; k += 4) {
    const [x, y] = [(k / 4) % wide, Math.floor(k / 4 / wide)];
    if ((x < 2 || y < 2 || x >= wide - 2 || y >= high - 2) && pixels[k] + pixels[k + 1] + pixels[k + 2] < 765) rim++;
  }
}
const told = { heard, rows, drawn, colours: colours.size, beyond, rim };
document.body.innerHTML = "<pre id=heard>" + JSON.stringify(told) + "</pre>";
</script>"""


def tilings(instance: Instance, number: int) -> tuple[Any, ...]:
    return solve(instance, "dlx", Question(Goal.ENUMERATE, Limits(solutions=number))).solutions


def data_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert match is not None
    found: dict[str, Any] = json.loads(match[1])
    return found


def driven(page: str, actions: str, folder: Path) -> dict[str, Any]:
    """What a browser says after some actions."""
    file = folder / "page.html"
    file.write_text(page.replace("</body>", DRIVER.replace("ACTIONS", actions) + "</body>"))
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader"]
    command += ["--enable-unsafe-swiftshader", "--dump-dom", f"--user-data-dir={folder}", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    match = re.search(r'<pre id="heard">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match is not None, done.stdout[-2000:] + done.stderr[-2000:]
    found: dict[str, Any] = json.loads(match[1])
    return found


@pytest.mark.parametrize(
    ("shapes", "lattice"), [(["4x4", "2"], None), (["hex:2", "x.x", "x"], "hexagonal"), (["2x2x2", "2"], None)], ids=str
)
def test_a_page_holds_its_tilings(shapes: list[str], lattice: str | None) -> None:
    instance = formats.inline(shapes, lattice=lattice)
    found = tilings(instance, 3)
    page = viewer.document(instance, found)
    assert not re.search(r'(?:src|href)="|@import|url\(', page.partition("THREE")[0])
    data = data_of(page)
    board = sorted(instance.board)
    for frame, tiling in zip(data["frames"], found, strict=True):
        shown = [(data["tiles"][tile], frozenset(board[cell] for cell in cells)) for tile, _, cells in frame]
        assert shown == [(placed.tile, placed.cells) for placed in tiling]
    if instance.dimension == 2:
        assert len(data["cells"]) == len(board)
        inside = [edge for edge in data["edges"] if edge[3] >= 0]
        assert len(inside) == sum(len(set(instance.lattice.neighbours(cell)) & instance.board) for cell in board) // 2
    else:
        faces = [beyond for sides in data["faces"] for _, beyond in sides]
        assert (len(faces), sum(beyond >= 0 for beyond in faces)) == (6 * 8, 24)


@pytest.mark.parametrize("name", ["square-edges/pairs-2x2_s", "triangular-edges/pairs-3_s", "rhombille/pairs-2_s"])
def test_every_cell_of_a_page_is_an_area(name: str) -> None:
    """An edge too: else there would be nothing to colour, and to point at."""
    instance = formats.read(name)
    for loop in data_of(viewer.document(instance, tilings(instance, 1)))["cells"]:
        assert abs(sum(a * d - b * c for (a, b), (c, d) in pairwise([*loop, loop[0]]))) > 1


@pytest.mark.parametrize("tile", ["</script><b>", "<!--<script>", "<!-- <SCRIPT <b>", "</SCRIPT <b>"])
def test_names_that_end_a_script_or_hide_its_end_do_not(tile: str) -> None:
    instance = formats.parse(json.dumps({"board": "2x2", "tiles": [{"name": tile, "cells": "2"}], "title": tile}))
    page = viewer.document(instance, tilings(instance, 1))
    assert (data_of(page)["tiles"], data_of(page)["title"]) == ([tile], tile)
    assert "<" not in re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)[0]
    assert "<b>" not in page.replace("&lt;b&gt;", "").partition('<script type="application/json"')[0]


def test_too_many_are_refused_in_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    instance = formats.inline(["2x2", "2"])
    with pytest.raises(BadOption, match="too large for a browser; --limit 20,000"):
        viewer.document(instance, tilings(instance, 1) * (viewer.MOST + 1))
    status, _, err = call(capsys, "solve", "6x6", "2", "--all", "-o", str(tmp_path / "all.png"))
    assert (status, err.count("\n")) == (2, 1)
    assert "a .png holds 200 tilings at most: --limit 200, or up to 20,000 in view.html" in err
    assert not (tmp_path / "all.png").exists()
    status, _, err = call(capsys, "solve", "4x4", "2", "-o", str(tmp_path / "view.jpeg"))
    assert (status, "must end in" in err) == (2, True)


def test_galleries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, picture, pages = (str(tmp_path / name) for name in ("gallery.svg", "gallery.png", "pages.pdf"))
    assert call(capsys, "solve", "4x4", "2", "--limit", "6", "-o", sheet)[0] == 0
    assert Path(sheet).read_text().count('<g class="picture"') == 6
    assert call(capsys, "sample", "4x4", "2", "-n", "9", "-o", picture)[0] == 0
    assert Path(picture).read_bytes().startswith(b"\x89PNG")
    assert call(capsys, "solve", "2x3", "2", "1", "--all", "-o", pages)[0] == 0
    number = len(tilings(formats.inline(["2x3", "2", "1"]), 1000))
    wanted = -(-number // gallery.PER_PAGE)
    assert Path(pages).read_bytes().count(b"/Type /Page\n") == wanted or f"/Count {wanted}".encode() in Path(pages).read_bytes()


def test_the_steps_of_a_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "search.html"
    status, out, err = call(capsys, "solve", "3x3", "3L", "3I", "--trace", "--solver", "dlx", "-o", str(page))
    assert (status, out, err) == (0, "sat: there is a tiling\n", "")
    data = data_of(page.read_text())
    assert data["trace"]
    assert len(data["placements"]) == 16 + 6  # L trominoes, and I's
    assert data["most"] == [3, 3]
    assert all(cell in frame[-1][2] for frame, cell in zip(data["frames"], data["looked"], strict=True) if frame and cell >= 0)
    assert len(data["frames"][-1]) == 3
    assert all(abs(len(a) - len(b)) <= 3 for a, b in zip(data["frames"], data["frames"][1:], strict=False))


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
def test_a_browser_shows_a_board_of_hexagons(tmp_path: Path) -> None:
    instance = formats.inline(["hex:2", "x.x", "x"], lattice="hexagonal")
    found = tilings(instance, 3)
    told = driven(viewer.document(instance, found), 'press("]"); press("End"); slide("shown", 2); point();', tmp_path)
    title = instance.heading
    assert told["heard"][:3] == [f"{title}: tiling {n} of 3, {len(found[n - 1])} pieces" for n in (1, 2, 3)]
    assert told["heard"][3] == f"{title}: tiling 3 of 3, 2 pieces"
    assert (told["rows"], told["drawn"]) == (2, 2)
    assert told["heard"][4] == found[2][0].tile


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
def test_a_browser_shows_what_a_search_tries(tmp_path: Path) -> None:
    instance = formats.inline(["2x3", "2"])
    steps: list[viewer.Step] = []
    solve(instance, "backtracking", Question(Goal.COUNT), on_node=lambda stack, cell: steps.append(viewer.Step(stack, cell)))
    read = 'heard.push(document.getElementById("tried").textContent, document.querySelectorAll(".other").length);'
    told = driven(viewer.animation(instance, steps), f'{read} press("]"); {read} slide("at", 6); {read}', tmp_path)
    assert told["heard"][1:3] == [
        "Looks at the cell 0,0: of 2 placements that cover it 2 fit here. This is number 1 that is tried.",
        1,
    ]
    assert told["heard"][4:6] == [
        "Looks at the cell 1,0: of 3 placements that cover it 2 fit here. This is number 1 that is tried.",
        1,
    ]
    assert told["heard"][7:] == [
        "Looks at the cell 0,0: of 2 placements that cover it 2 fit here. This is number 2 that is tried.",
        1,
    ]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
def test_a_browser_shows_a_cube(tmp_path: Path) -> None:
    instance = formats.inline(["4x4x4", "4L"])
    found = tilings(instance, 1)
    actions = 'press("ArrowLeft"); press("e"); slide("layer", 1); slide("shown", 9);'
    told = driven(viewer.document(instance, found), actions, tmp_path)
    assert told["heard"][-1] == f"{instance.heading}: tiling 1 of 1, 9 pieces"
    assert told["colours"] > 5 or told["colours"] == 0  # none where the browser has no WebGL
    assert told["rows"] == 9
    assert (told["beyond"], told["rim"]) == (0, 0)


@pytest.mark.parametrize("name", ["classic/soma_s", "spheres/pyramid-pairs-3_s", "hexagonal-prisms/pairs-2_s"])
def test_all_of_a_board_is_within_its_reach(name: str) -> None:
    instance = formats.read(name)
    data = data_of(viewer.document(instance, tilings(instance, 1)))
    for centre, faces in zip(data["centres"], data["faces"], strict=True):
        for corner in {corner for corners, _ in faces for corner in corners}:
            assert dist(data["points"][corner], centre) <= data["around"] + 1e-3
        assert dist(centre, data["middle"]) + data["around"] <= data["reach"] + 1e-3


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
@pytest.mark.parametrize("turn", ["", 'press("ArrowUp"); ' * 4, 'press("ArrowLeft"); ' * 5])
def test_what_is_apart_stays_inside_the_window(turn: str, tmp_path: Path) -> None:
    instance = formats.read("classic/soma_s")
    told = driven(viewer.document(instance, tilings(instance, 1)), f'slide("apart", 2); {turn}', tmp_path)
    assert told["colours"] > 5 or told["colours"] == 0
    assert (told["beyond"], told["rim"]) == (0, 0)


#: Draws a move as it is at its end.
LATER = """const now = performance.now() + 1e4; performance.now = () => now;
document.getElementById("colours").dispatchEvent(new Event("change"));"""


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
def test_pieces_that_go_off_stay_inside_the_window(tmp_path: Path) -> None:
    instance = formats.inline(["2x2x12", "1x2x12"])
    (tiling,) = tilings(instance, 1)
    off = [viewer.Stage({0: (0, 0, 0), 1: (0, 0, 14)}, "1. off", 1, is_last=True)]
    told = driven(viewer.disassembly(instance, tiling, off), LATER, tmp_path)
    assert told["colours"] > 2 or told["colours"] == 0
    assert told["rim"] == 0


def test_labels_of_cells_that_stay_open_are_on_the_page() -> None:
    instance = formats.read("calendars/a-puzzle-a-day_s").with_open("jan 25")
    page = viewer.document(instance, tilings(instance, 1))
    data = data_of(page)
    names = [",".join(map(str, cell)) for cell, _ in instance.labels]
    assert [[data["names"][cell], said] for cell, said, *_ in data["labels"]] == [
        [name, label] for name, (_, label) in zip(names, instance.labels, strict=True)
    ]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
@pytest.mark.long
def test_a_browser_shows_labels_of_cells_that_stay_open(tmp_path: Path) -> None:
    instance = formats.read("calendars/a-puzzle-a-day_s").with_open("jan 25")
    count = 'heard.push(document.querySelectorAll("#stage .label").length);'
    told = driven(viewer.document(instance, tilings(instance, 1)), f'{count} slide("shown", 0); {count}', tmp_path)
    assert told["heard"][:2] == ["A-Puzzle-A-Day: tiling 1 of 1, 8 pieces; open: jan 25", 2]
    assert told["heard"][2:] == ["A-Puzzle-A-Day: tiling 1 of 1, 0 pieces", 43]


def test_what_a_move_is_called_is_written_in_full() -> None:
    said = "12. third-of-a-burr and 1008 #2: right 3, and off"
    page = pages.album([scene.Panel(said, 40.0, 40.0, []), scene.Panel("2", 40.0, 40.0, [])])
    lines = [[mark for mark in panel.marks if isinstance(mark, scene.Label)] for panel, _ in page.placed]
    assert " ".join(label.said for label in sorted(lines[0], key=lambda label: label.at[1])) == said
    assert len(lines[0]) > 1
    assert all(at[1] + label.at[1] - label.size > 0 for (_, at), some in zip(page.placed, lines, strict=True) for label in some)

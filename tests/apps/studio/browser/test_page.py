"""What a person does in the studio, by mouse, finger and keys, in a real browser."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.apps.studio.engine import instance_of

from .conftest import DARK, PHONE, Studio, findings

pytestmark = pytest.mark.long


def test_the_first_click_fills_the_board_and_a_second_tab_is_noticed(studio: Studio) -> None:
    studio.wait("9,356 ways")
    studio.page.get_by_role("button", name="Solve").click()
    studio.wait("Finished!")
    assert studio.pieces == 12
    studio.page.get_by_role("button", name="Undo").click()
    studio.wait("9,356 ways")
    assert studio.pieces == 0
    other = studio.page.context.new_page()
    other.goto(studio.page.url)
    for page in (studio.page, other):
        page.get_by_text("Another tab has the studio open").wait_for()


def test_a_piece_is_dragged_turned_locked_and_taken_off(shared: Studio) -> None:
    shared.begin("5x2", "2")
    shared.wait("8 ways")
    tile = shared.page.locator(".tile").first.bounding_box()
    assert tile is not None
    middle = (tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    shared.drag(middle, shared.cell(2, 0.5), shared.cell(0, 0))
    assert shared.pieces == 1
    shared.page.mouse.click(*shared.cell(0, 0))
    assert shared.pieces == 0
    shared.page.keyboard.press("r")
    shared.page.mouse.click(*shared.cell(4, 0))
    assert shared.pieces == 1
    shared.page.keyboard.press("Escape")
    shared.page.mouse.click(*shared.cell(4, 0), button="right")
    assert shared.page.locator(".board .piece.locked").count() == 1
    assert shared.page.get_by_role("button", name="Clear").is_disabled()
    shared.page.mouse.click(*shared.cell(4, 0))
    assert shared.pieces == 1


def test_the_area_is_told_while_one_types(shared: Studio) -> None:
    page = shared.page
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="A new board").click()
    page.get_by_label("Size or name of the board").fill("3x9")
    page.get_by_label("Pieces, by name").fill("4:3I 4:4L")
    page.get_by_text("the pieces have 28 cells, the board 27 cells").wait_for()
    page.keyboard.press("Escape")
    shared.tab("Pieces")
    page.get_by_label("Pieces by name").fill("1:pentominoes")
    page.get_by_text("these pieces have 60 cells").wait_for()


def test_a_board_of_other_cells_is_begun_with(shared: Studio) -> None:
    """In the plane, of edges, in layers, and where boards have no names; usual_board.test.mjs knows the board of each lattice."""
    page = shared.page
    for lattice in ("hexagonal", "square-edges", "hexagonal-prisms", "rhombic-tetrahedra"):
        page.get_by_role("button", name="New …").click()
        page.get_by_role("button", name="A new board").click()
        page.locator("form.new select").select_option(lattice)
        page.get_by_role("button", name="Begin", exact=True).click()
        page.locator("dialog.start[open]").wait_for(state="detached")
        page.locator('.board .cells path.on:not([d=""])').wait_for()
    shared.begin("2x2", "2")


def test_all_of_a_game_by_keys(shared: Studio) -> None:
    shared.begin("3x2", "2")
    shared.wait("3 ways")
    page = shared.page
    page.locator(".board").focus()
    for _ in range(3):
        page.keyboard.press("n")
        page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    if shared.pieces == 0:  # It did not fit so: turned it does.
        page.keyboard.press("r")
        page.keyboard.press("Enter")
    assert shared.pieces == 1
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator(".board .pieces .piece").nth(1).wait_for()
    page.keyboard.press("h")
    shared.wait("Finished!")
    page.keyboard.press("Delete")
    assert shared.pieces == 2
    page.keyboard.press("Control+z")
    shared.wait("Finished!")


def test_board_and_pieces_are_drawn_and_kept(shared: Studio) -> None:
    shared.begin("2x2", "1")
    shared.wait("way")
    page = shared.page
    shared.tab("Board")
    page.get_by_role("button", name="Rectangle").click()
    page.get_by_role("button", name="On", exact=True).click()
    shared.drag(shared.cell(0, 0), shared.cell(2, 1), shared.cell(3, 2))
    assert "12 cells" in page.locator(".panel").inner_text()
    shared.tab("Pieces")
    page.get_by_role("button", name="Remove 1").click()
    page.get_by_role("button", name="Draw a piece").click()
    places = [page.get_by_label(f"cell {cell}", exact=True).bounding_box() for cell in ("2, 1", "1, 1", "1, 2")]
    shared.drag(*((place["x"] + place["width"] / 2, place["y"] + place["height"] / 2) for place in places))
    page.locator(".drawing", has_text="3 cells").wait_for()
    assert page.get_by_label("cell 2, 1", exact=True).bounding_box() == places[0]
    page.get_by_role("button", name="Add the piece").click()
    shared.enter("A, at most", "")
    shared.tab("Play")
    shared.wait("ways")
    before = page.locator(".live").inner_text()
    page.wait_for_selector("body[data-kept=yes]")
    page.reload()
    shared.wait(before.splitlines()[-1])
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    assert shared.pieces == 4


def test_a_date_is_set_by_clicks(shared: Studio) -> None:
    page = shared.page
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="From the list").click()
    page.get_by_label(re.compile("^Search the")).fill("a-puzzle-a-day")
    page.locator(".problems button").first.click()
    page.locator("dialog.start[open]").wait_for(state="detached")
    for label in ("dec", "nov", "28"):
        row, column = page.evaluate(_CELL_CALLED, label)
        page.mouse.click(*shared.cell(column, row))
    shared.wait("183 ways")
    page.get_by_text("month nov, day 28").wait_for()
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    assert page.evaluate(_UNCOVERED) == ["nov", "28"]


#: The cell with a label, and the labels that no piece covers.
_CELL_CALLED = "async (label) => (await import('/state.js')).problem.value.labels.find((one) => one.label === label).cell"
_UNCOVERED = """async () => {
  const { laid, problem } = await import("/state.js");
  const covered = new Set(laid.value.flatMap((piece) => piece.cells.map(String)));
  return problem.value.labels.filter(({ cell }) => !covered.has(String(cell))).map(({ label }) => label);
}"""


def test_questions_are_asked_and_their_tilings_laid(shared: Studio) -> None:
    shared.begin("4x4", "2")
    shared.wait("36 ways")
    page = shared.page
    shared.tab("Ask")
    page.locator(".ask select").first.select_option("tilings")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Tiling 1:").click()
    assert shared.pieces == 8
    page.locator(".ask select").first.select_option("count")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".asked").nth(1).wait_for()
    page.locator(".asked").first.get_by_text("The same in a terminal").wait_for()
    assert "tiler count" in (page.locator(".asked").first.locator(".same pre").first.text_content() or "")


def test_pieces_are_chosen_and_gone_on_with(shared: Studio) -> None:
    shared.begin("3x2", "1:3L")
    page = shared.page
    shared.tab("Ask")
    page.locator(".ask select").first.select_option("choose")
    page.get_by_label(re.compile("^Pieces")).fill("2")
    page.get_by_label(re.compile("^Pool")).fill("monominoes trominoes 5P")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Go on with it").first.click()
    shared.wait("ways")


def test_a_link_and_a_file_hold_problem_and_pieces(shared: Studio, tmp_path: Path) -> None:
    shared.begin("3x2", "2")
    shared.wait("3 ways")
    page = shared.page
    page.get_by_role("button", name="Hint").click()
    page.locator(".board .pieces .piece").nth(0).wait_for()
    shared.tab("Keep")
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_label("The link").input_value()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save", exact=True).click()
    saved.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").stat().st_size > 10
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="Paste or open a file").click()
    field = page.locator("dialog textarea")
    field.fill(field.get_attribute("placeholder"))
    page.get_by_role("button", name="Read it").click()
    page.locator("dialog.start[open]").wait_for(state="detached")
    page.locator(".tile").nth(11).wait_for()
    page.goto(address)
    page.locator(".board .pieces .piece").nth(0).wait_for()
    page.goto(f"{address.partition('#')[0]}#{page.evaluate(_OUTSIDE)}")
    shared.wait("These pieces do not go with the board")
    shared.errors.clear()  # The browser notes the refusal.
    page.get_by_role("tab", name="Play", exact=True).click()
    page.get_by_role("button", name="Clear").click()
    shared.wait("3 ways")


#: A link with a piece that lies outside of the board.
_OUTSIDE = """async () => {
  const { doc } = await import("/state.js");
  return (await import("/link.js")).fragmentOf({ ...doc.value, laid: [{ tile: "2", cells: [[9, 9], [9, 10]], locked: false }] });
}"""


def test_the_layers_of_a_body(shared: Studio) -> None:
    shared.begin("2x2x2", "2", "cubic")
    shared.wait("9 ways")
    page = shared.page
    assert page.locator(".board .layer-name").count() == 2
    page.locator(".tile").first.click()
    page.locator(".in-hand").wait_for()
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    assert page.locator(".in-hand").count() == 0
    shared.tab("Ask")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".viewer[data-ready=yes]").wait_for()


def _middle(target: Any) -> tuple[float, float]:
    """The middle of an element, in the window."""
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _swipe(page: Any, start: tuple[float, float], way: tuple[float, float]) -> None:
    """A finger goes down, some way, and up."""
    touches = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": start[0], "y": start[1]})
    for step in range(1, 13):
        send("touchMove", {"x": start[0] + way[0] * step / 12, "y": start[1] + way[1] * step / 12})
        page.evaluate("new Promise(requestAnimationFrame)")
    send("touchEnd")
    touches.detach()


@pytest.mark.parametrize("shared", [PHONE], indirect=True)
def test_a_finger_on_a_phone(shared: Studio) -> None:
    shared.begin("10x5", "1:pentominoes")
    shared.wait("27,804 ways")
    page = shared.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    height = page.locator(".table-top").bounding_box()["height"]  # type: ignore[index]
    page.get_by_role("button", name="Solve").tap()
    shared.wait("Finished!")
    assert page.locator(".table-top").bounding_box()["height"] == height  # type: ignore[index]
    page.get_by_role("button", name="Clear").tap()
    # A finger scrolls the pieces sideways, drags one across that way, and scrolls the page on the board.
    page.evaluate("scrollTo(0, 0)")
    tiles = page.locator(".tile")
    _swipe(page, _middle(tiles.nth(2)), (-200, 5))
    assert page.locator(".tiles").evaluate("(list) => list.scrollLeft") > 100
    assert shared.pieces == 0
    start = _middle(tiles.nth(4))
    spot = shared.cell(4, 3)
    _swipe(page, start, (spot[0] - start[0], spot[1] - start[1]))
    page.locator(".board .pieces .piece").wait_for()
    spot = shared.cell(4, 3)
    _swipe(page, spot, (0, -120))
    assert page.evaluate("scrollY") > 50
    assert shared.pieces == 1
    spot = shared.cell(4, 3)
    page.touchscreen.tap(*spot)
    page.locator(".in-hand").wait_for()
    assert shared.pieces == 0
    shared.begin("3x2", "2")
    shared.wait("3 ways")
    page.locator(".tile").first.tap()
    page.get_by_role("button", name="↻ Turn").tap()
    for spot in ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0)):
        page.touchscreen.tap(*shared.cell(*spot))
        if shared.pieces:
            break
    assert shared.pieces == 1


@pytest.mark.parametrize("shared", [{}, PHONE, DARK], indirect=True, ids=["desktop", "phone", "dark"])
def test_axe_finds_nothing(axe: str, shared: Studio) -> None:
    shared.begin("10x6", "1:pentominoes")
    shared.wait("9,356 ways")
    for name in ("Play", "Board", "Pieces", "Ask", "Keep"):
        shared.tab(name)
        assert findings(shared.page, axe) == [], name
    shared.page.get_by_role("button", name="New …").click()
    shared.page.get_by_role("button", name="From the list").click()
    shared.page.locator("dialog[open] .problems li").first.wait_for()
    assert findings(shared.page, axe) == []
    shared.page.keyboard.press("Escape")
    shared.begin("2x2x2", "2", "cubic")
    shared.wait("9 ways")
    shared.page.locator(".body [data-ready=yes] canvas").wait_for()
    shared.tab("Pieces")
    shared.page.get_by_role("button", name="Draw a piece").click()
    shared.page.get_by_role("button", name="Colours").click()
    assert findings(shared.page, axe) == []


def test_paint_is_drawn_and_seen(shared: Studio) -> None:
    shared.begin("4x1", "")
    page = shared.page
    shared.tab("Pieces")
    page.get_by_role("button", name="Draw a piece").click()
    for cell in ("1, 1", "1, 2"):
        page.get_by_label(f"cell {cell}", exact=True).click()
    page.get_by_role("button", name="Colours").click()
    page.get_by_role("button", name="red", exact=True).click()
    page.get_by_label("cell 1, 1", exact=True).click()
    page.get_by_role("button", name="Add the piece").click()
    shared.enter("A, at most", "2")
    shared.wait("4 ways")  # Each of the two lies either way round.
    shared.tab("Play")
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    assert page.locator(".board .pieces .coat").count() == 2


def test_a_body_is_turned_and_picked_from(shared: Studio) -> None:
    shared.begin("2x2x2", "2", "cubic")
    shared.wait("9 ways")
    box = shared.page.locator(".body canvas").bounding_box()
    assert box is not None
    shared.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shared.page.locator(".board .cursor .here").wait_for(state="attached")


#: What WebGL is asked to draw while the cursor goes over all cells at once, and in the picture that follows once it rests.
_DRAWN = """async () => {
  const { cursor, problem } = await import("/state.js");
  const web = WebGL2RenderingContext.prototype;
  const before = { clear: web.clear, drawArrays: web.drawArrays, drawElements: web.drawElements };
  const asked = { pictures: 0, objects: 0 };
  const rests = new Promise((done) => {
    for (const [name, act] of Object.entries(before)) web[name] = function (...told) {
      asked[name === "clear" ? "pictures" : "objects"] += 1;
      requestAnimationFrame(done);
      return act.apply(this, told);
    };
  });
  for (const cell of problem.value.board) cursor.value = cell;
  const moving = asked.pictures;
  await rests;
  Object.assign(web, before);
  return { moving, ...asked };
}"""


def test_a_body_is_drawn_once_the_pointer_rests(shared: Studio) -> None:
    shared.begin("3x3x3", "9:3I", "cubic")
    shared.page.locator(".body [data-ready=yes] canvas").wait_for()
    shared.page.locator(".live.good, .live.none").wait_for()
    drawn = shared.page.evaluate(_DRAWN)
    assert drawn == {"moving": 0, "pictures": 1, "objects": 3}, "cells and edges of the glass, edges of the cell"


#: Whether the body is drawn, and whether it ends before the border of its picture.
_INSIDE = """() => {
  const drawn = document.querySelector(".body canvas");
  const copy = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height }).getContext("2d");
  copy.drawImage(drawn, 0, 0);
  const white = (...box) => copy.getImageData(...box).data.every((value) => value === 255);
  const [wide, high] = [drawn.width, drawn.height];
  const sides = [[0, 0, wide, 1], [0, high - 1, wide, 1], [0, 0, 1, high], [wide - 1, 0, 1, high]];
  return !white(0, 0, wide, high) && sides.every((side) => white(...side));
}"""


def test_a_body_that_grows_stays_in_its_picture(shared: Studio) -> None:
    page = shared.page
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="A new board").click()
    page.locator("form.new select").select_option("spheres")
    page.get_by_role("button", name="Begin", exact=True).click()
    shared.wait("the board 1 cell")
    page.locator(".body [data-ready=yes] canvas").wait_for()
    page.locator(".board").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    shared.wait("the board 6 cells")
    page.wait_for_function(_INSIDE)


#: The content of the file that a button gives; it is not downloaded, because Chromium may hold the eleventh file of a page back.
_FILE = """(save) => new Promise((done, failed) => {
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(",")[1]);
  URL.createObjectURL = (blob) => {
    reader.readAsDataURL(blob);
    return createObjectURL.call(URL, blob);
  };
  HTMLAnchorElement.prototype.click = () => [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [createObjectURL, click];
  setTimeout(() => failed(new Error("there is no file")), 120_000);
  save.click();
})"""


def test_every_form_is_saved_by_clicks(shared: Studio, tmp_path: Path) -> None:
    shared.begin("2x2", "2")
    shared.wait("2 ways")
    page = shared.page
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    shared.tab("Keep")
    choice = page.locator(".panel select").first
    forms = choice.locator("option").all_inner_texts()
    assert {"json", "text", "sheet", "svg", "png", "stl", "tilings"} <= set(forms)
    signs = {
        "png": b"\x89PNG",
        "svg": b"<svg",
        "3mf": b"PK",
        "json": b"{",
        "html": b"<!DOCTYPE html>",
    }
    save = page.get_by_role("button", name="Save", exact=True)
    choice.select_option("xmpuzzle")
    save.click()
    page.locator(".news", has_text="take them off first").wait_for()
    shared.errors.clear()  # The browser notes the refusal.
    for form in (form for form in forms if form not in ("sheet", "pdf")):  # Those two are saved in whole tasks.
        if form == "xmpuzzle":
            page.get_by_role("button", name="Undo").click()
        choice.select_option(form)
        content = base64.b64decode(save.evaluate(_FILE))
        if form == "xmpuzzle":
            page.get_by_role("button", name="Redo").click()
        (tmp_path / form).write_bytes(content)
        assert content.startswith(signs.get(form, b"")), form
        assert content, form
    assert tiler.read(str(tmp_path / "text")).board == tiler.make("2x2", "2").board


def test_what_fits_on_a_cell_is_kept_shown_and_laid(shared: Studio) -> None:
    shared.begin("4x4", "2")
    shared.wait("36 ways")
    page = shared.page
    page.mouse.click(*shared.cell(0, 0))
    page.mouse.move(*shared.cell(3, 3))
    fits = page.locator(".fit")
    assert sorted(fits.all_inner_texts()) == ["2 18 ways", "2 18 ways"]  # Those of the corner that was clicked.
    fits.first.hover()
    assert page.locator(".board .ghost .fits").count() == 1
    fits.first.click()
    shared.wait("18 ways")
    assert shared.pieces == 1
    assert page.locator(".board .pinned").count() == 0


def test_thousands_of_tilings_are_scrolled_through(shared: Studio) -> None:
    shared.begin("6x5", "2")
    shared.wait("1,183 ways")
    page = shared.page
    shared.tab("Ask")
    page.locator(".ask select").first.select_option("tilings")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_text("1183 shown").wait_for()
    page.locator(".tilings").evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    page.get_by_role("button", name="Tiling 1183:").click()
    shared.wait("Finished!")
    assert page.locator(".tilings button").count() < 40


def test_the_back_of_a_piece_and_marks_that_fit_each_other_are_drawn(shared: Studio) -> None:
    shared.begin("2x1", "")
    page = shared.page
    shared.tab("Pieces")
    page.get_by_role("button", name="Draw a piece").click()
    page.get_by_label("cell 1, 1", exact=True).click()
    page.get_by_role("button", name="Marks of sides").click()
    page.get_by_label("The back looks different").check()
    page.get_by_role("button", name="Front", exact=True).click()
    page.get_by_label("Mark", exact=True).fill("tab")
    page.get_by_label("side 1, 1 to 1, 2").press("Space")
    page.get_by_role("button", name="Back, seen").click()
    page.get_by_label("Mark", exact=True).fill("blank")
    page.get_by_label("side 1, 1 to 1, 2").press("Space")
    page.get_by_role("button", name="Add the piece").click()
    shared.enter("A, at most", "2")
    shared.enter("Marks that fit each other", "tab blank")
    told = page.evaluate("async () => JSON.stringify((await import('/state.js')).problem.value)")
    expected = tiler.count(instance_of(json.loads(told)))
    shared.wait(f"{expected} ways")
    assert json.loads(told)["tiles"][0]["back"] == {"marks": [[[0, 0], [0, 1], "blank"]]}
    shared.enter("Marks that fit each other", "tab")
    page.locator(".news", has_text="Write pairs of marks").wait_for()
    page.get_by_role("button", name="Draw A again").click()
    page.get_by_role("button", name="Marks of sides").click()
    assert page.get_by_label("The back looks different").is_checked()

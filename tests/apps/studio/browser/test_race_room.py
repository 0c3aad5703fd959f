"""A race in the browser: by mouse, by keys, by touch, in the dark, with little motion; and the way from room to room."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import DARK, PHONE, Studio, findings

pytestmark = pytest.mark.long


#: The room as it is first.
_NEW_ROOM = """async () => {
  const state = await import("/race_state.js");
  await state.again();
  const first = { about: null, entrants: [], named: null, racing: null, goal: "decide", pace: 60, paused: false, drawing: -1 };
  for (const [name, value] of Object.entries(first)) state[name].value = value;
}"""


_TITLE = "async () => (await import('/state.js')).doc.value.title"
PENTOMINOES = "10x6 1:pentominoes"
DOMINOES = "10x6 2"


def enter(studio: Studio, puzzle: str = PENTOMINOES) -> Any:
    """Goes to the room with a puzzle; a page with it."""
    page = studio.page
    if page.evaluate(_TITLE) != puzzle:
        studio.begin(*puzzle.split())
    page.evaluate(_NEW_ROOM)
    page.get_by_role("navigation", name="Rooms").get_by_role("link", name="Race").click()
    page.get_by_role("button", name="Start the race").wait_for()
    return page


def leave_one_out(page: Any) -> None:
    """Two solvers are enough for a race: dlx, and backtracking with an order that can be drawn."""
    page.get_by_role("button", name="Leave fila out").click()
    page.locator(".racer").nth(2).wait_for(state="detached")


def steps(page: Any) -> list[int]:
    """The steps of all racers."""
    return [int(text.replace(",", "")) for text in page.locator(".steps b").all_text_contents()]


def test_a_race_by_mouse_with_an_order_drawn_by_hand(shared: Studio) -> None:
    studio = shared
    page = enter(studio)
    assert page.locator(".racer select").first.input_value() == "dlx"
    page.get_by_role("button", name="Add a solver").click()
    fourth = page.locator(".racer").nth(3)
    assert fourth.locator("select").first.input_value() == "backtracking"
    fourth.get_by_role("button", name="Draw an order").click()
    page.locator(".order-board svg").wait_for()
    box = page.locator(".order-board svg").bounding_box()
    corner = (box["x"] + box["width"] / 20, box["y"] + box["height"] / 12)
    studio.drag(
        corner, (corner[0], corner[1] + 0.8 * box["height"]), (corner[0] + box["width"] / 10, corner[1] + 0.8 * box["height"])
    )
    page.get_by_text("7 of 60 cells have a number").wait_for()
    page.get_by_role("button", name="Use this order").click()
    assert page.get_by_role("article", name="backtracking (your order)").count() == 1
    page.get_by_role("button", name="Slow").click()
    page.get_by_role("button", name="Start the race").click()
    page.locator(".racer .piece").first.wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    page.wait_for_selector(".rate:text-is('pause') >> nth=3")
    before = steps(page)
    page.get_by_role("button", name="One step").click()
    page.locator(".racer").nth(3).locator(".steps", has_text=str(before[3] + 1)).wait_for()
    # One of them at full speed beside: it is there, and the others wait.
    page.get_by_role("article", name="dlx").get_by_role("button", name="Full speed").click()
    page.get_by_role("article", name="dlx").get_by_text("1st").wait_for()
    assert max(steps(page)[1:]) < 40
    page.get_by_role("button", name="Let the others finish quickly").click()
    page.get_by_role("button", name="Once more").wait_for()
    verdict = page.locator(".verdict").inner_text()
    assert "dlx was first: it found a tiling after 800 steps." in verdict
    assert "backtracking (rows) needed 21,177 steps" in verdict
    assert "One race is no benchmark" in verdict
    assert page.locator(".racer").first.locator(".piece").count() == 12
    # Where solvers race in other windows the next race is refused, and what came of the last one stays.
    refusal = {"status": 429, "json": {"error": "4 solvers race on this machine already"}}
    page.route("**/api/race/begin", lambda route: route.fulfill(**refusal), times=1)
    page.get_by_role("button", name="Once more").click()
    page.locator(".news", has_text="4 solvers race").wait_for()
    assert page.locator(".verdict").inner_text() == verdict
    studio.errors.clear()  # The browser notes the refusal.


def test_a_race_that_the_studio_has_forgotten_is_over(shared: Studio) -> None:
    """So it is after a long sleep of the machine: the session of the page has ended, and its race with it."""
    page = enter(shared)
    leave_one_out(page)
    page.get_by_role("button", name="Slow").click()
    with page.expect_request("**/api/race/begin") as began:
        page.get_by_role("button", name="Start the race").click()
    page.locator(".racer .piece").first.wait_for()
    session = began.value.post_data_json["session"]
    page.evaluate(
        "(session) => fetch('/api/close', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
        " body: JSON.stringify({ session }) })",
        session,
    )
    page.get_by_text("The race has ended, because this page was away for more than a minute.").wait_for()
    assert page.locator(".rate", has_text="not there when the race ended").count() == 2
    page.get_by_role("button", name="Once more").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.locator(".racer .piece").first.wait_for()
    page.get_by_role("button", name="End the race").click()  # As long as this page shows it, it keeps its places.
    page.get_by_role("button", name="Once more").wait_for()


@pytest.mark.parametrize("shared", [PHONE], indirect=True, ids=["phone"])
def test_an_order_is_drawn_by_finger(shared: Studio) -> None:
    page = enter(shared, DOMINOES)
    page.get_by_role("button", name="Draw an order").click()
    page.locator(".order-board svg").wait_for()
    box = page.locator(".order-board svg").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    finger = page.context.new_cdp_session(page)
    spots = [(box["x"] + box["width"] * (k + 0.5) / 10, box["y"] + box["height"] * 0.5) for k in (0, 3, 7)]
    for kind, spot in zip(("touchStart", "touchMove", "touchMove"), spots, strict=True):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": spot[0], "y": spot[1]}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.get_by_text("8 of 60 cells have a number").wait_for()  # The page has not scrolled instead.
    page.get_by_role("button", name="Use this order").click()  # A tap at once would be half of a double tap.
    page.get_by_role("article", name="backtracking (your order)").wait_for()


def test_a_race_by_keys(shared: Studio) -> None:
    page = enter(shared)
    leave_one_out(page)
    page.get_by_role("button", name="Start the race").focus()
    page.keyboard.press("Enter")
    page.locator(".racer .piece").first.wait_for()
    page.keyboard.press("Space")  # The button that pauses has the focus.
    page.get_by_role("button", name="Go on").wait_for()
    page.wait_for_selector(".rate:text-is('pause') >> nth=1")
    before = steps(page)
    page.keyboard.press("s")
    page.locator(".racer").nth(1).locator(".steps", has_text=f"{before[1] + 1:,}").wait_for()
    page.get_by_role("button", name="End the race").press("Enter")
    page.get_by_text("Nobody was there when the race ended").wait_for()
    page.get_by_role("button", name="Choose solvers").press("Enter")
    page.get_by_role("button", name="Draw an order").press("Enter")
    page.wait_for_selector(".order-board:focus")  # Or Enter would close the drawing.
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter", "Backspace"):
        page.keyboard.press(key)
    page.get_by_text("2 of 60 cells have a number").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("shared", [{}, PHONE, DARK], indirect=True, ids=["desktop", "phone", "dark"])
def test_axe_finds_nothing_in_a_race(axe: str, shared: Studio) -> None:
    page = enter(shared)
    assert findings(page, axe) == []
    page.get_by_role("button", name="Draw an order").click()
    page.locator(".order-board").wait_for()
    assert findings(page, axe) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Full speed").click()
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("button", name="Once more").wait_for()
    assert findings(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rooms_are_in_the_link_and_the_puzzle_stays(shared: Studio) -> None:
    studio, page = shared, shared.page
    studio.begin("4x4", "2")
    studio.wait("36 ways")
    page.get_by_role("button", name="Hint").click()
    page.locator(".board .pieces .piece").first.wait_for()
    assert studio.pieces == 1
    rooms = page.get_by_role("navigation", name="Rooms")
    rooms.get_by_role("link", name="Compare").click()
    page.locator("main.compare").wait_for()
    assert "room=compare" in page.url
    page.wait_for_selector("body[data-kept=yes]")
    page.reload()
    page.locator("main.compare").wait_for()
    assert rooms.get_by_role("link", name="Compare").get_attribute("aria-current") == "page"
    page.keyboard.press("Control+z")  # Undo is the puzzle's.
    rooms.get_by_role("link", name="Puzzle").click()
    page.locator(".board .pieces .piece").first.wait_for()
    assert studio.pieces == 1
    page.go_back()
    page.locator("main.compare").wait_for()

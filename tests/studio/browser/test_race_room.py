"""A race in the browser: by mouse, by keys, by touch, in the dark, for people who want little motion."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import DARK, PHONE, Studio, axe_script, findings

pytestmark = pytest.mark.long


def enter(studio: Studio) -> Any:
    """Goes to the room; a page with it."""
    page = studio.page
    page.get_by_role("navigation", name="Rooms").get_by_role("link", name="Race").click()
    page.get_by_role("button", name="Start the race").wait_for()
    return page


def steps(page: Any) -> list[int]:
    """The steps of all racers."""
    return [int(text.replace(",", "")) for text in page.locator(".steps b").all_text_contents()]


def test_a_race_by_mouse_with_an_order_drawn_by_hand(studio: Studio) -> None:
    page = enter(studio)
    assert page.locator(".racer select").first.input_value() == "dlx"
    page.get_by_role("button", name="Add a solver").click()
    fourth = page.locator(".racer").nth(3)
    assert fourth.locator("select").first.input_value() == "backtracking"
    fourth.get_by_role("button", name="Draw an order").click()
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


def test_a_race_by_keys(studio: Studio) -> None:
    page = enter(studio)
    page.get_by_role("button", name="Start the race").focus()
    page.keyboard.press("Enter")
    page.locator(".racer .piece").first.wait_for()
    page.keyboard.press("Space")  # The button that pauses has the focus.
    page.get_by_role("button", name="Go on").wait_for()
    page.wait_for_selector(".rate:text-is('pause') >> nth=2")
    before = steps(page)
    page.keyboard.press("s")
    page.locator(".racer").nth(2).locator(".steps", has_text=f"{before[2] + 1:,}").wait_for()
    page.get_by_role("button", name="End the race").press("Enter")
    page.get_by_text("Nobody was there when the race ended").wait_for()
    page.get_by_role("button", name="Choose solvers").press("Enter")
    page.get_by_role("button", name="Draw an order").press("Enter")
    page.locator(".order-board").focus()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowDown", "Enter", "Backspace"):
        page.keyboard.press(key)
    page.get_by_text("2 of 60 cells have a number").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("studio", [{}, PHONE, DARK], indirect=True, ids=["desktop", "phone", "dark"])
def test_axe_finds_nothing_in_a_race(studio: Studio) -> None:
    axe = axe_script()
    page = enter(studio)
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

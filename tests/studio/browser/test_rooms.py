"""The rooms of the studio, and the way from one to another."""

from __future__ import annotations

import pytest

from .conftest import Studio

pytestmark = pytest.mark.long


def test_rooms_are_in_the_link_and_the_puzzle_stays(studio: Studio) -> None:
    page = studio.page
    studio.wait("9,356 ways")
    page.get_by_role("button", name="Hint").click()
    studio.wait("way")
    assert studio.pieces == 1
    rooms = page.get_by_role("navigation", name="Rooms")
    rooms.get_by_role("link", name="Compare").click()
    page.locator("main.compare").wait_for()
    assert "room=compare" in page.url
    page.reload()
    page.locator("main.compare").wait_for()
    assert rooms.get_by_role("link", name="Compare").get_attribute("aria-current") == "page"
    page.keyboard.press("Control+z")  # Undo is the puzzle's.
    rooms.get_by_role("link", name="Puzzle").click()
    page.locator(".board .pieces .piece").first.wait_for()
    assert studio.pieces == 1
    page.go_back()
    page.locator("main.compare").wait_for()

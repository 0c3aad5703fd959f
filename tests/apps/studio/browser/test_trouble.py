"""What goes wrong in front of a real page: the page says what happened, and goes on; nothing is lost, and no process is left."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import tiler

from .conftest import Served, Studio, fragment_of, opened

pytestmark = pytest.mark.long

MOST = 16  # questions of a page that run or wait
#: A problem whose tilings dlx does not count in time, with a live number that comes at once.
ENDLESS = "14x14", "2"
_ASK = """async (times) => {
  const { ask } = await import("/doing.js");
  for (let k = 0; k < times; k++) ask("count", { solver: "dlx", threads: 1 });
}"""
_PASTE = """(area) => {
  area.value = "x".repeat(1 << 20);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def working(serving: Served) -> list[psutil.Process]:
    """The processes of engines that compute, and do not only wait."""
    return [each for each in map(psutil.Process, serving.workers) if each.status() == psutil.STATUS_RUNNING]


def test_too_many_questions(shared: Studio, serving: Served) -> None:
    shared.begin(*ENDLESS)
    shared.tab("Ask")
    page = shared.page
    replies: list[int] = []

    def is_last(response: Any) -> bool:
        if response.url.endswith("/api/ask"):
            replies.append(response.status)
        return len(replies) == MOST + 2

    with page.expect_event("response", is_last):
        page.evaluate(_ASK, MOST + 2)
    assert replies.count(429) == 2
    page.get_by_text(f"{MOST} questions are being answered; stop one, or wait").wait_for()
    page.wait_for_function(f"document.querySelectorAll('.asked progress').length === {MOST}")  # Each can be stopped.
    page.get_by_role("button", name="Stop").evaluate_all("(buttons) => buttons.forEach((button) => button.click())")
    page.wait_for_function("() => document.querySelectorAll('.asked progress').length === 0")
    shared.errors.clear()  # The browser notes each refusal.
    shared.begin("4x4", "2")
    shared.wait("36 ways")


def test_a_tab_that_is_closed_in_the_middle_of_a_count_leaves_no_work(
    browser: Any, link: str, cookies: Any, serving: Served
) -> None:
    shown = opened(browser, link, cookies, fragment_of(tiler.make(*ENDLESS)))
    shown.page.evaluate(_ASK, 1)
    shown.tab("Ask")
    shown.page.locator(".asked p", has_text=re.compile(r"\d s$")).wait_for(timeout=60_000)
    left = working(serving)
    assert left
    shown.page.close(run_before_unload=True)
    for _ in range(300):  # Others may still start, to be ready for the next page.
        left = [each for each in working(serving) if each in left]
        if not left:
            break
        psutil.wait_procs(left, timeout=0.2)
    assert not left
    shown.page.context.close()


def test_a_killed_process_is_told_and_the_game_goes_on(shared: Studio, serving: Served) -> None:
    shared.begin("4x4", "2")
    shared.wait("36 ways")
    for pid in serving.workers:
        os.kill(pid, signal.SIGKILL)
    shared.page.get_by_role("button", name="Hint").click()
    shared.page.locator(".board .pieces .piece").wait_for()
    shared.page.locator(".news", has_text="SIGKILL").wait_for()
    shared.wait("18 ways")
    assert shared.pieces == 1


def test_after_a_sleep_the_page_goes_on(shared: Studio) -> None:
    """The session of the page has ended meanwhile, as after a minute without it."""
    sent: list[str] = []
    page = shared.page
    page.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/api/lay") else None)
    shared.begin("4x4", "2")
    shared.wait("36 ways")
    session = re.search(r'"session":"([^"]+)"', sent[-1])
    assert session is not None
    closing = "(session) => fetch('/api/close', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: session})"
    page.evaluate(closing, f'{{"session": "{session[1]}"}}')
    page.get_by_role("button", name="Hint").click()
    shared.wait("18 ways")
    page.get_by_role("button", name="Solve").click()
    shared.wait("Finished!")
    shared.errors.clear()  # The browser notes that the first answer was 409.


def test_a_hostile_link_and_a_megabyte_are_refused(shared: Studio) -> None:
    shared.begin("4x4", "2")
    shared.wait("36 ways")
    page = shared.page
    address = page.url.partition("#")[0]
    for code, said in (("%%%", "damaged"), ("A" * 70_000, "longer than the studio reads"), (_bomb(), "holds more")):
        page.goto(f"{address}#d={code}")
        page.locator(".news", has_text=said).wait_for()
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="Paste or open a file").click()
    page.locator("dialog textarea").evaluate(_PASTE)
    page.get_by_role("button", name="Read it").click()
    page.locator("dialog .told", has_text="characters").wait_for()
    page.get_by_role("textbox").fill(f"{address}#{fragment_of(tiler.make('2x3', '2'))}")
    page.get_by_role("button", name="Read it").click()
    shared.wait("3 ways")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="Paste or open a file").click()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/read", hold)
    page.get_by_role("textbox").fill("no problem")
    page.get_by_role("button", name="Read it").click()
    page.locator("dialog .reading").wait_for()
    page.keyboard.press("Escape")
    with page.expect_response("**/api/read") as response:  # The refusal of what is not read any more.
        held[0].continue_()
    assert response.value.status == 400
    page.unroute("**/api/read")
    page.get_by_role("button", name="New …").click()
    assert page.locator("dialog .told").inner_text() == ""
    page.keyboard.press("Escape")
    shared.wait("36 ways")
    shared.errors.clear()  # The browser notes that the answer was 400.


def _bomb() -> str:
    """Twenty megabytes in a link."""
    import base64
    import zlib

    packer = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(packer.compress(b" " * 20_000_000) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize(("side", "cells"), [(120, "14,400"), pytest.param(500, "250,000", marks=pytest.mark.slow)])
def test_a_large_board_is_shown_and_says_what_is_left_out(shared: Studio, side: int, cells: str) -> None:
    shared.page.set_default_timeout(120_000)
    shared.begin(f"{side}x{side}", "2")
    shared.wait(f"{cells} cells; above 10,000 there are no live numbers")
    assert shared.page.locator(".board .cells path.on").get_attribute("d")
    shared.page.get_by_role("button", name="Undo").click()
    shared.page.locator(".live.good, .live.done").wait_for()


#: Takes connections to the studio, by streams of events that do not end.
_HOLD = "async (number) => { for (let k = 0; k < number; k++) await fetch(`/api/events?session=another-${k}&after=`); }"


@pytest.fixture
def alone(results: Path) -> Iterator[Served]:
    """A studio that a test may kill."""
    studio = Served(8730, results)
    yield studio
    if studio.process.poll() is None:
        studio.end()


def test_a_killed_studio_loses_nothing_and_tabs_follow_the_next_one(browser: Any, alone: Served, results: Path) -> None:
    """A link is put into the address of a page that has no access, with a problem in it; into the same page when the studio was
    started again. A browser has six connections to a host, of which four are taken: two tabs share one stream, or no other
    connection would be left."""
    context = browser.new_context()
    shown = Studio(context.new_page())
    page = shown.page
    address, _, _ = alone.link.partition("#")
    page.goto(f"{address}#{fragment_of(tiler.make('4x4', '2'))}")
    strip = page.locator(".strip")
    strip.filter(has_text="this page has no access to the studio; press Enter in the terminal").wait_for()
    assert "no cells" not in page.locator(".live").inner_text()
    page.goto(alone.link)
    page.wait_for_selector("body[data-ready=yes]")
    shown.wait("36 ways")
    assert (strip.count(), page.url) == (0, address)
    page.get_by_role("button", name="Hint").click()
    shown.wait("18 ways")
    page.wait_for_selector("body[data-kept=yes]")
    page.get_by_role("button", name="Clear").click()
    page.reload()  # At once: there is no time to keep it.
    page.wait_for_selector("body[data-ready=yes]")
    shown.wait("36 ways")
    page.get_by_role("button", name="Hint").click()
    shown.wait("18 ways")
    page.wait_for_selector("body[data-kept=yes]")

    page.evaluate(_HOLD, 4)
    other = context.new_page()
    other.set_default_timeout(60_000)
    other.goto(address)
    other.wait_for_selector("body[data-ready=yes]")
    other.get_by_role("tab", name="Ask").click()
    other.get_by_role("button", name="Ask", exact=True).click()
    other.locator(".asked .same").wait_for(state="attached")  # Its answer came by the stream.

    alone.end(signal.SIGKILL)
    for tab in (page, other):
        tab.locator(".strip", has_text="Tiler has stopped on this machine").wait_for()  # Before anything is done there.
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector("body[data-kept=yes]")
    again = Served(8730, results)
    try:
        strip.filter(has_text="no access to the studio").wait_for()
        page.goto(again.link)
        page.locator(".page:not(.away)").wait_for()
        other.locator(".page:not(.away)").wait_for()
        shown.wait("18 ways")
        assert shown.pieces == 1
        page.get_by_role("button", name="Solve").click()
        shown.wait("Finished!")
    finally:
        again.end()
        context.close()

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

from .conftest import Served, Studio, opened

pytestmark = pytest.mark.long

#: A problem whose tilings dlx does not count in time, with a live number that comes at once.
ENDLESS = "14x14", "2"
_ASK = """async (times) => {
  const { ask } = await import("/doing.js");
  for (let k = 0; k < times; k++) ask("count", { solver: "dlx" });
}"""
_PASTE = """(area) => {
  area.value = "x".repeat(1 << 20);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def working(serving: Served) -> list[psutil.Process]:
    """The processes of engines that compute, and do not only wait."""
    return [each for each in map(psutil.Process, serving.workers) if each.status() == psutil.STATUS_RUNNING]


def test_a_hundred_questions(shared: Studio, serving: Served) -> None:
    shared.begin(*ENDLESS)
    shared.tab("Ask")
    page = shared.page
    replies: list[int] = []

    def is_last(response: Any) -> bool:
        if response.url.endswith("/api/ask"):
            replies.append(response.status)
        return len(replies) == 100

    with page.expect_event("response", is_last):
        page.evaluate(_ASK, 100)
    assert replies.count(429) == 84
    page.get_by_text("16 questions are being answered; stop one, or wait").wait_for()
    page.wait_for_function("document.querySelectorAll('.asked progress').length === 16")  # Each can be stopped.
    page.get_by_role("button", name="Stop").evaluate_all("(buttons) => buttons.forEach((button) => button.click())")
    page.wait_for_function("() => document.querySelectorAll('.asked progress').length === 0")
    shared.errors.clear()  # The browser notes each refusal.
    shared.begin("4x4", "2")
    shared.wait("36 ways")


def test_a_tab_that_is_closed_in_the_middle_of_a_count_leaves_no_work(
    browser: Any, link: str, cookies: Any, serving: Served
) -> None:
    shown = opened(browser, link, cookies)
    shown.begin(*ENDLESS)
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


@pytest.fixture
def alone(results: Path) -> Iterator[Served]:
    """A studio that a test may kill."""
    studio = Served(8730, results)
    yield studio
    if studio.process.poll() is None:
        studio.end()


def test_a_killed_studio_loses_nothing(browser: Any, alone: Served, results: Path) -> None:
    context = browser.new_context()
    shown = Studio(context.new_page())
    page = shown.page
    page.goto(alone.link)
    page.wait_for_selector("body[data-ready=yes]")
    shown.begin("4x4", "2")
    shown.wait("36 ways")
    page.get_by_role("button", name="Hint").click()
    shown.wait("18 ways")
    page.wait_for_selector("body[data-kept=yes]")
    alone.end(signal.SIGKILL)
    page.get_by_role("button", name="Undo").click()
    page.locator(".news", has_text="Tiler has stopped on this machine").wait_for()
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector("body[data-kept=yes]")
    again = Served(8730, results)
    try:
        page.goto("about:blank")
        page.goto(again.link)
        page.wait_for_selector("body[data-ready=yes]")
        shown.wait("18 ways")
        assert shown.pieces == 1
    finally:
        again.end()
        context.close()

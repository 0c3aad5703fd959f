"""The page with the engine inside (`scripts/page`), in a real browser: only what differs from the studio. The tests of the studio
itself look at this page too, where TILER_PAGE names it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import PAGE, PHONE, Studio, served

pytestmark = [pytest.mark.long, pytest.mark.skipif(not PAGE, reason="TILER_PAGE names no page")]


#: Questions to the engine: one that is stopped when its progress is told, and one that is waited for.
_LISTEN = """async () => {
  const { link } = await import("./state.js");
  const sentences = (parameters, hear) => new Promise((done) => {
    const end = link.engine.on((event) => {
      const over = { answer: event.sentences, failed: [event.error] }[event.event];
      hear(event);
      if (over) {
        end();
        done(over);
      }
    });
    link.engine.ask("count", parameters, []);
  });
  window.answered = (parameters) => sentences(parameters, () => {});
  window.stopped = (parameters) => sentences(parameters, (event) => {
    if (event.event === "progress") link.engine.stop(event.id);
  });
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(PAGE) as link:
        yield link


@pytest.fixture
def opened(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[tuple[Studio, list[str]]]:
    """The page, and the addresses that it has asked for."""
    context = browser.new_context(**getattr(request, "param", {}))
    page = context.new_page()
    asked: list[str] = []
    context.on("request", lambda sent: asked.append(sent.url))
    studio = Studio(page)
    page.goto(address)
    page.wait_for_selector("body[data-ready=yes]", timeout=300_000)
    yield studio, asked
    context.close()
    assert studio.errors == []


def test_it_answers_offline_and_asks_no_other_host(opened: tuple[Studio, list[str]], address: str) -> None:
    studio, asked = opened
    studio.wait("9,356 ways")
    studio.page.wait_for_function("navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length === 1)")
    studio.page.context.set_offline(True)
    studio.page.reload()
    studio.page.wait_for_selector("body[data-ready=yes]", timeout=300_000)
    studio.page.get_by_role("button", name="Solve").click()
    studio.wait("Finished!")
    assert studio.pieces == 12
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []


def test_a_question_is_stopped_and_the_next_one_answered(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    page = studio.page
    page.evaluate(_LISTEN)
    assert page.evaluate("stopped({ solver: 'backtracking', up_to_symmetry: true })")[:1] == ["stopped"]
    assert page.evaluate("answered({ solver: 'dlx' })") == ["9,356 tilings"]


def test_what_no_page_can_do_is_said_with_the_command(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    said = studio.page.evaluate(
        "async () => { const { link } = await import('./state.js'); return new Promise((done) => {"
        "link.engine.on((event) => { if (event.event === 'failed') done(event.error); });"
        "link.engine.ask('count', { solver: 'sat' }, []); }); }"
    )
    assert said.endswith("not in this page; in a terminal: tiler count problem.json --solver sat")


@pytest.mark.parametrize("opened", [PHONE], indirect=True)
def test_a_phone_solves(opened: tuple[Studio, list[str]]) -> None:
    studio, _ = opened
    studio.page.get_by_role("button", name="Solve").tap()
    studio.wait("Finished!")
    assert studio.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("TILER_SCREENS"):
        studio.page.screenshot(path=f"{folder}/page-phone.png")

"""A studio that is served, and a browser that looks at it. Without a browser these tests are skipped, but where TILER_BROWSER is
`required` they fail.

TILER_PAGE names a folder that `scripts/page` has built: then the same tests look at that page, with the engine inside, instead of
the studio.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

import psutil
import pytest

import tiler

sys.path.insert(0, str(Path(__file__).parents[4] / "scripts"))

from page_links import fragment_of

_NAMES = ("chromium", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark", "reduced_motion": "reduce"}
PAGE = os.environ.get("TILER_PAGE", "")
_SECONDS = 60_000.0 if not PAGE else 120_000.0  # milliseconds that a step may take on a machine with much to do


def missing(what: str) -> NoReturn:
    """Skips a test, or fails where nothing may be missing."""
    if os.environ.get("TILER_BROWSER") == "required":
        pytest.fail(what)
    pytest.skip(what)


def axe_script() -> str:
    """The script of axe-core."""
    path = os.environ.get("TILER_AXE", "")
    if not Path(path).is_file():
        missing("TILER_AXE names no axe.min.js (npm pack axe-core)")
    return Path(path).read_text(encoding="utf-8")


@pytest.fixture
def axe() -> str:
    """The script of axe-core; named before the page of a test, it skips the test before there is a page."""
    return axe_script()


#: In the dark only colours are others than by day.
_RUN_AXE = """() => axe.run(matchMedia("(prefers-color-scheme: dark)").matches ? { runOnly: ["color-contrast"] } : {})
  .then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" ")))"""


def findings(page: Any, axe: str) -> list[str]:
    """What axe finds wrong with a page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate(_RUN_AXE)
    return [re.sub(r"\s+", " ", each)[:400] for each in found]


def _playwright() -> Any:
    try:
        from playwright import sync_api
    except ImportError:
        missing("Playwright is not installed")
    return sync_api


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium: the one that TILER_CHROMIUM names, else one on the PATH, else Playwright's own."""
    playwright = _playwright()
    named = os.environ.get("TILER_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    with playwright.sync_playwright() as started:
        if not Path(named or started.chromium.executable_path).exists():
            missing("there is no Chromium")
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = started.chromium.launch(executable_path=named, args=[*root, "--enable-unsafe-swiftshader"])
        yield opened
        _wake(opened)
        opened.close()


def _wake(browser: Any) -> None:
    """Make Playwright's event loop the one of this thread."""
    asyncio._set_running_loop(browser._impl_obj._loop)


@pytest.fixture(scope="module", autouse=True)
def _loop(browser: Any) -> Iterator[None]:
    """Browser and studio stay for the next module; between modules other tests may start event loops of their own."""
    _wake(browser)
    yield
    asyncio._set_running_loop(None)


class Served:
    """`tiler studio` as a process, and the link that it prints."""

    def __init__(self, port: int, results: Path) -> None:
        command = [sys.executable, "-m", "tiler", "studio", "--no-browser", "--port", str(port), "--results", str(results)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        said = ""
        while not (match := re.search(r"http://\S+#token=\S+", said)):
            line = self.process.stdout.readline()
            assert line, said
            said += line
        self.link = match[0]

    @property
    def workers(self) -> set[int]:
        """The processes in which engines run."""
        return {child.pid for child in psutil.Process(self.process.pid).children(recursive=True)}

    def end(self, how: int = signal.SIGTERM) -> None:
        """Ends it; no process is left."""
        workers = self.workers
        self.process.send_signal(how)
        self.process.wait()
        self.process.stdout.close()  # type: ignore[union-attr]
        _, alive = psutil.wait_procs([psutil.Process(pid) for pid in workers if psutil.pid_exists(pid)], timeout=60)
        assert not alive


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The link of a folder that a plain web server shows."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            serving.join()


@pytest.fixture(scope="package")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the studio's campaigns."""
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="package")
def serving(results: Path) -> Iterator[Served]:
    studio = Served(8700, results)
    yield studio
    studio.end()


@pytest.fixture(scope="package")
def link(request: pytest.FixtureRequest) -> Iterator[str]:
    """The link that `tiler studio` prints."""
    if PAGE:
        with served(PAGE) as address:
            yield address
        return
    yield request.getfixturevalue("serving").link


@pytest.fixture(scope="package")
def cookies(browser: Any, link: str) -> Any:
    """What the browser keeps of a person who has opened the link: it can be used once."""
    if PAGE:
        return []
    home, _, token = link.partition("/#token=")
    context = browser.new_context()
    reply = context.request.post(
        f"{home}/enter", data={"token": token}, headers={"origin": home, "sec-fetch-site": "same-origin"}
    )
    assert reply.status == 204
    kept = context.cookies()
    context.close()
    return kept


#: Closes what a test before left open.
_CALM = """async () => {
  const state = await import("/state.js");
  const calm = { dialog: "", mode: "play", hand: null, cursor: null, pinned: null, overlay: null, asked: [] };
  for (const [name, value] of Object.entries(calm)) state[name].value = value;
  (await import("/place.js")).putInLink({ room: "" });
  const board = await import("/board_tools.js");
  board.tool.value = "pen";
  board.paint.value = "swap";
}"""


#: Begins with what the dialog makes of the same words; the tests of whole tasks go through the dialog itself.
_BEGIN = """async ([words, pieces, name]) => {
  const { dialog, link, load, mode } = await import("/state.js");
  const { board, lattice, optional } = await link.engine.board(words, name);
  const reflections = (await link.engine.lattice(lattice)).dimension === 2;
  const tiles = pieces ? (await link.engine.tiles(pieces, lattice, reflections)).tiles : [];
  load({ problem: { lattice, board, optional, tiles, reflections }, laid: [], title: `${words} ${pieces}` });
  [dialog.value, mode.value] = ["", "play"];
}"""

#: When the engine answers, the fields are drawn anew: what is only half entered by then is lost.
_SETTLED = """async () => {
  const { current, problem, trouble } = await import("/state.js");
  while (current.value?.problem !== problem.value && !trouble.value) await new Promise(requestAnimationFrame);
}"""


class Studio:
    """A page of the studio, with what a person does most."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(_SECONDS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def wait(self, verdict: str) -> None:
        """Waits until the live answer has these words."""
        self.page.locator(".live", has_text=verdict).wait_for()

    def begin(self, board: str, pieces: str, lattice: str = "square") -> None:
        """Begins with another board and other pieces."""
        self.page.evaluate(_BEGIN, [board, pieces, lattice])
        self.settle()

    def settle(self) -> None:
        """Waits until the engine knows the problem as it is now."""
        self.page.evaluate(_SETTLED)

    def enter(self, field: str, text: str) -> None:
        """Writes into a field that takes effect when it is left."""
        self.settle()
        self.page.get_by_label(field).fill(text)
        self.page.get_by_label(field).blur()

    def tab(self, name: str) -> None:
        """Goes to one of the panels."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def cell(self, x: float, y: float) -> tuple[float, float]:
        """The place in the window of a spot of the board."""
        spot: list[float] = self.page.evaluate(
            "([x, y]) => { const svg = document.querySelector('.board > svg');"
            "const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }",
            [x, y],
        )
        return spot[0], spot[1]

    def drag(self, *spots: tuple[float, float]) -> None:
        """Presses the mouse at the first place of the window, and lets it go at the last."""
        self.page.mouse.move(*spots[0])
        self.page.mouse.down()
        for spot in spots[1:]:
            self.page.mouse.move(*spot, steps=4)
        self.page.mouse.up()

    @property
    def pieces(self) -> int:
        """The number of pieces on the board."""
        return int(self.page.locator(".board .pieces .piece").count())


def opened(browser: Any, link: str, cookies: Any, fragment: str = "", **settings: Any) -> Studio:
    """A page of the studio in a browser that keeps nothing yet: as a person sees it first, or with the problem of a fragment."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **settings})
    context.add_cookies(cookies)
    shown = Studio(context.new_page())
    shown.page.goto(f"{link.partition('#')[0]}#{fragment}")
    shown.page.wait_for_selector("body[data-ready=yes]")
    return shown


@pytest.fixture(scope="package")
def pages(browser: Any, link: str, cookies: Any) -> Iterator[Callable[..., Studio]]:
    """Makes a page with some settings of the browser, the first time; a person does one thing after another in it."""
    made: dict[str, Studio] = {}

    def page(**settings: Any) -> Studio:
        name = json.dumps(settings, sort_keys=True)
        if name not in made or made[name].page.is_closed():
            made[name] = opened(browser, link, cookies, fragment_of(tiler.make("2x2", "2")), **settings)
        return made[name]

    yield page
    _wake(browser)
    for one in made.values():
        one.page.context.close()


@pytest.fixture
def shared(pages: Callable[..., Studio], request: pytest.FixtureRequest) -> Iterator[Studio]:
    """A page of the studio that other tests have used before, which costs less; a parameter has settings of the browser."""
    shown = pages(**getattr(request, "param", {}))
    shown.errors.clear()
    shown.page.evaluate(_CALM)
    yield shown
    assert shown.errors == []


@pytest.fixture
def studio(browser: Any, link: str, cookies: Any, request: pytest.FixtureRequest) -> Iterator[Studio]:
    """A page of the studio as a person sees it first; a parameter has settings of the browser."""
    shown = opened(browser, link, cookies, **getattr(request, "param", {}))
    yield shown
    shown.page.context.close()
    assert shown.errors == []

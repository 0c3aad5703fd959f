"""Make a contact sheet of the studio: pictures of its page as people see it, on one page to look through.

    .venv/bin/python scripts/studio_screens.py FOLDER [NAME ...]
    .venv/bin/python scripts/studio_screens.py --docs

It starts `tiler studio`, opens it by Playwright in a Chromium (TILER_CHROMIUM, or one on the PATH), and writes a PNG of each view
and index.html, which shows all of them. With --docs it writes those of the documentation, small, into docs/pictures.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK = {**WIDE, "color_scheme": "dark"}


def launched(started: Any) -> Any:
    """A Chromium, by Playwright: the one that TILER_CHROMIUM names, or one on the PATH."""
    chromium = os.environ.get("TILER_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    return started.chromium.launch(executable_path=chromium, args=[*root, "--enable-unsafe-swiftshader"])


def link_of(served: subprocess.Popen[str]) -> str:
    """The link that `tiler studio` prints."""
    assert served.stdout is not None
    return next(filter(None, (re.search(r"http://\S+#token=\S+", line) for line in served.stdout)))[0]


def begin(page: Any, board: str, pieces: str, lattice: str = "square") -> None:
    """Begins with another board and other pieces."""
    page.get_by_role("button", name="New …").click()
    page.get_by_role("button", name="A new board").click()
    page.locator("form.new select").select_option(lattice)
    page.get_by_label("Size or name of the board").fill(board)
    page.get_by_label("Pieces, by name").fill(pieces)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator("dialog.start[open]").wait_for(state="detached")
    page.locator(".live.good, .live.bad, .live.none").wait_for()


def tab(page: Any, name: str) -> None:
    """Goes to one of the panels."""
    page.get_by_role("tab", name=name, exact=True).click()


def room(page: Any, name: str) -> None:
    """Goes to another room."""
    page.get_by_role("navigation", name="Rooms").get_by_role("link", name=name).click()
    page.locator(f"main.{name.lower()}").wait_for()
    page.wait_for_timeout(2000)


def solved(page: Any) -> None:
    page.get_by_role("button", name="Solve").click()
    page.get_by_text("Finished!").wait_for()


def hinted(page: Any) -> None:
    for count in (1, 2, 3):
        page.get_by_role("button", name="Hint").click()
        page.locator(".board .pieces .piece").nth(count - 1).wait_for()
    page.locator(".board").focus()
    page.keyboard.press("n")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")


def fits(page: Any) -> None:
    page.get_by_role("button", name="Hint").click()
    page.wait_for_timeout(500)
    box = page.locator(".board").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.4)
    page.wait_for_timeout(300)


def mutilated(page: Any) -> None:
    begin(page, "8x8", "2")
    tab(page, "Board")
    page.locator(".board").focus()
    page.keyboard.press("Space")
    for key in ("ArrowRight", "ArrowDown"):
        for _ in range(7):
            page.keyboard.press(key)
    page.keyboard.press("Space")
    tab(page, "Play")
    page.locator(".live.bad").wait_for()
    page.wait_for_timeout(500)


def asked(page: Any) -> None:
    begin(page, "5x4", "2")
    tab(page, "Ask")
    page.locator(".ask select").first.select_option("tilings")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Tiling 1:").wait_for()
    page.get_by_role("button", name="Tiling 9:").scroll_into_view_if_needed()


def cube(page: Any) -> None:
    begin(page, "3x3x3", "1:soma", "cubic")
    solved(page)
    tab(page, "Ask")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".viewer:not(.body)[data-ready=yes]").wait_for()
    page.locator(".viewer:not(.body)").scroll_into_view_if_needed()
    page.wait_for_timeout(500)


def hexagons(page: Any) -> None:
    begin(page, "hex:4", "3-1 3-2 4-1", "hexagonal")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_timeout(800)


def listed(page: Any) -> None:
    page.get_by_role("button", name="New …").click()
    page.locator("dialog .problems img").first.wait_for()
    page.wait_for_timeout(2500)


def drawn(page: Any) -> None:
    page.get_by_text("It can be finished in 9,356 ways").wait_for()
    tab(page, "Pieces")
    page.get_by_role("button", name="Draw a piece").click()
    for cell in ("1, 1", "1, 2", "2, 2"):
        page.get_by_label(f"cell {cell}", exact=True).click()


SHOTS: dict[str, tuple[dict[str, Any], Callable[[Any], None]]] = {
    "first": (WIDE, lambda page: None),
    "solved": (WIDE, solved),
    "playing": (WIDE, hinted),
    "fits": (WIDE, fits),
    "why-not": (WIDE, mutilated),
    "board": (WIDE, lambda page: tab(page, "Board")),
    "pieces": (WIDE, drawn),
    "asked": (WIDE, asked),
    "space": (WIDE, cube),
    "hexagons": (WIDE, hexagons),
    "keep": (WIDE, lambda page: tab(page, "Keep")),
    "list": (WIDE, listed),
    "help": (WIDE, lambda page: page.keyboard.press("?")),
    "dark": (DARK, hinted),
    "dark-why-not": (DARK, mutilated),
    "phone": (PHONE, lambda page: None),
    "phone-solved": (PHONE, solved),
    "phone-board": (PHONE, lambda page: tab(page, "Board")),
    "compare": (WIDE, lambda page: room(page, "Compare")),
    "race": (WIDE, lambda page: room(page, "Race")),
    "dark-race": (DARK, lambda page: room(page, "Race")),
    "phone-race": (PHONE, lambda page: room(page, "Race")),
}


DOCS = ("fits", "why-not", "pieces", "asked", "space")  #: shown in the documentation
DOCS_FILES = tuple(f"studio-{name}.png" for name in DOCS)
DOCS_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"


def main() -> None:
    """Takes all pictures, or those named after the folder, or those of the documentation."""
    if sys.argv[1] == "--docs":
        take(DOCS_FOLDER, DOCS, "studio-", {"viewport": {"width": 1120, "height": 700}})
        for file in DOCS_FILES:
            shrink(DOCS_FOLDER / file)
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or list(SHOTS)
    take(folder, wanted)
    shown = "".join(f'<figure><img src="{name}.png" alt=""><figcaption>{name}</figcaption></figure>' for name in wanted)
    style = "body{font:16px sans-serif;display:flex;flex-wrap:wrap;gap:1rem}img{height:24rem;border:1px solid #888}"
    (folder / "index.html").write_text(f"<!DOCTYPE html><title>The studio</title><style>{style}</style>{shown}", encoding="utf-8")


def shrink(path: Path) -> None:
    """Writes a picture with a palette, which is enough for flat colours."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(255, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def take(folder: Path, wanted: Sequence[str], prefix: str = "", more: dict[str, Any] | None = None) -> None:
    """Writes the pictures of those names."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "tiler", "studio", "--no-browser", "--port", "8790"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as served,
        sync_playwright() as started,
    ):
        link = link_of(served)
        browser = launched(started)
        cookies: list[Any] = []
        for name in wanted:
            settings, act = SHOTS[name]
            context = browser.new_context(**{**settings, **(more or {})})
            context.add_cookies(cookies)
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.goto(link if not cookies else link.partition("#")[0])
            page.wait_for_selector("body[data-ready=yes]")
            page.locator(".live.good").wait_for()
            try:
                act(page)
            except Exception as error:  # What is seen then shows what went wrong.
                print(f"{name}: {error}", file=sys.stderr)
            page.screenshot(path=folder / f"{prefix}{name}.png")
            cookies = context.cookies()
            context.close()
        browser.close()
        served.terminate()


if __name__ == "__main__":
    main()

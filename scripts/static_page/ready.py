"""Time how long the page takes until it answers, in Chromium, from a web server on this machine:

    python scripts/static_page/ready.py PAGE [TIMES]

PAGE is a folder that scripts/page has built. For a first visit with nothing kept, and for a later one whose parts the service
worker has kept: seconds until the number of ways of the problem that it opens with is there, and until the first tiling after a
click. The medians of TIMES visits (3). Needs Playwright and a Chromium (TILER_CHROMIUM names it).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

_KEPT = (
    "navigator.serviceWorker.ready.then(() => caches.keys())"
    ".then((names) => names.length > 0 && !!navigator.serviceWorker.controller)"
)


class Quiet(SimpleHTTPRequestHandler):
    """A web server that says nothing."""

    def log_message(self, *said: object) -> None:
        pass


def main() -> None:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    parser.add_argument("times", type=int, nargs="?", default=3)
    arguments = parser.parse_args()
    program = os.environ.get("TILER_CHROMIUM") or shutil.which("chromium")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=arguments.page)) as server, sync_playwright() as started:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        visits: dict[str, list[tuple[float, float]]] = {"first": [], "later": []}
        for _ in range(arguments.times):
            context = browser.new_context()
            page = context.new_page()
            for seconds in visits.values():
                seconds.append(visit(page, f"http://127.0.0.1:{server.server_port}/"))
                page.wait_for_function(_KEPT)
            context.close()
        browser.close()
        server.shutdown()
    print("| visit | seconds to the number of ways | then to the first tiling |\n|---|---|---|")
    for name, both in visits.items():
        ways, tiling = (statistics.median(each) for each in zip(*both, strict=True))
        print(f"| {name} | {ways:.2f} | {tiling:.2f} |")


def visit(page: Any, address: str) -> tuple[float, float]:
    """Seconds until the page knows how many ways there are, and until a tiling is shown after a click on Solve."""
    opened = time.perf_counter()
    page.goto(address)
    page.locator(".live", has_text="ways").wait_for(timeout=300_000)
    known = time.perf_counter()
    page.get_by_role("button", name="Solve").click()
    page.locator(".live", has_text="Finished!").wait_for(timeout=300_000)
    solved = time.perf_counter()
    page.get_by_role("button", name="Clear").click()
    page.locator("body[data-kept=yes]").wait_for()
    return known - opened, solved - known


if __name__ == "__main__":
    main()

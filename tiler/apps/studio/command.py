"""`tiler studio`: open the studio in a browser."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from tiler.errors import BadOption
from tiler.optional_packages import need

HELP = "draw a board and pieces in the browser, play, and ask"
_DESCRIPTION = """\
Open a page in the browser in which you draw a board, take pieces, play, and ask all
questions of Tiler. It begins with the twelve pentominoes on a board of 6 by 10, or with
what you made last. It is served from this machine, and nothing leaves it. Ctrl-C ends
it; Enter in the terminal, or the signal USR1, prints another link: each can be used
once. What you draw is kept in the browser, and belongs to the port. A second room of
the page compares solvers; the records of its campaigns are folders below --results, as
of tiler bench.
"""
EXAMPLES = """\
  tiler studio
  tiler studio soma
  tiler studio calendar.txt --port 8530 --no-browser
  tiler studio --results results/thesis
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("file", nargs="?", metavar="FILE", help="open this problem file, or the problem of this name")
    parser.add_argument(
        "--results", metavar="FOLDER", help="keep campaigns below this folder, and open those that are there (default: results)"
    )
    parser.add_argument("--port", type=int, metavar="N", help="listen on this port (default: 8520)")
    parser.add_argument("--no-browser", action="store_true", help="print the link, and open no browser")


def run(args: argparse.Namespace) -> int:
    need("the studio", "starlette", "uvicorn")
    from tiler import formats
    from tiler.apps.studio import server

    port = server.PORT if args.port is None else args.port
    if not 1 <= port <= 65535:
        raise BadOption(f"--port {port}: a port is a number from 1 to 65535")
    if args.file is not None:
        formats.read(args.file)  # What is wrong with it is said here, not in the page.

    results = server.RESULTS if args.results is None else Path(args.results)
    if results.exists() and not results.is_dir():
        raise BadOption(f"--results {args.results}: this is a file; name a folder")

    with server.listening(port) as listener:
        used = listener.getsockname()[1]
        if used != port:
            print(f"port {port} is taken, so this is {used}; what you kept in the browser on {port} is not shown here")
        studio = server.Studio(used, file=args.file or "", results=results)

        def link() -> str:
            return f"http://{server.HOST}:{used}/#token={studio.guard.new_token()}"

        def ready() -> None:
            first = link()
            is_terminal = sys.stdin is not None and sys.stdin.isatty()
            how = "Enter" if is_terminal else f"kill -USR1 {os.getpid()}"
            print(f"{first}\nCtrl-C ends it, {how} prints another link", flush=True)
            if not args.no_browser:
                threading.Thread(target=_open, args=(first,), daemon=True).start()
            if is_terminal:
                threading.Thread(target=_print_links, args=(link,), daemon=True).start()
            signal.signal(signal.SIGUSR1, lambda *_: print(link(), flush=True))

        server.serve(studio, listener, ready)
    return 0


def _open(link: str) -> None:
    """Open the browser; where there is none the printed link is enough."""
    import webbrowser

    webbrowser.open(link)


def _print_links(link: Callable[[], str]) -> None:
    """Print another link at each Enter."""
    for _ in sys.stdin:
        print(link(), flush=True)

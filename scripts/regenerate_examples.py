"""Run the examples of the pages, and write what they print into the pages.

    python scripts/regenerate_examples.py                      all pages
    python scripts/regenerate_examples.py docs/results.md      these
    python scripts/regenerate_examples.py --check              change nothing; exit 1 and name the pages that would change

An example is a line `$ tiler ...` in a block marked `console`, and the lines after it are what it prints. The examples of a page
are run one after the other in a folder of their own, in which the blocks of the page that have a `title="NAME"` are files of that
name. The tests compare with this module what the pages show.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Runs the arguments of one command, in the working directory, and gives what it prints.
Runner = Callable[[list[str]], str]

_CONSOLE = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.M)
_EXAMPLE = re.compile(r"^\$ (tiler .*)\n((?:(?!\$ ).*\n)*)", re.M)
_FILE = re.compile(r'^```\w+ title="([^"/]+)"\n(.*?)^```$', re.DOTALL | re.M)


def pages() -> list[Path]:
    """All pages that are written by hand."""
    return [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def examples(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a page with what it says that they print."""
    for block in _CONSOLE.findall(text):
        yield from _EXAMPLE.findall(block)


def files(text: str) -> dict[str, str]:
    """The files that a page shows, by their names."""
    return dict(_FILE.findall(text))


def rewritten(text: str, run: Runner) -> str:
    """A page with what its examples print now."""

    def block(found: re.Match[str]) -> str:
        return _EXAMPLE.sub(lambda example: f"$ {example[1]}\n{run(shlex.split(example[1])[1:])}", found[0])

    return _CONSOLE.sub(block, text)


def set_up(folder: Path, text: str) -> None:
    """Lay out what the examples of a page find in their working directory."""
    for name, content in files(text).items():
        (folder / name).write_text(content)


def run(arguments: list[str]) -> str:
    """What a command prints, in a process of its own; RuntimeError with its last word if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)  # Tables are as wide as they like.
    command = [sys.executable, "-m", "tiler", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"tiler {shlex.join(arguments)}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", type=Path, help="default: all")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 and show what would change")
    options = parser.parse_args()
    changed = 0
    for page in [path.resolve() for path in options.page] or pages():
        text = page.read_text()
        with tempfile.TemporaryDirectory() as folder:
            set_up(Path(folder), text)
            os.chdir(folder)
            new = rewritten(text, run)
            os.chdir(ROOT)
        if new != text:
            changed += 1
            print(page.relative_to(ROOT))
            if options.check:
                print("\n".join(difflib.unified_diff(text.splitlines(), new.splitlines(), lineterm="", n=1)))
            else:
                page.write_text(new)
    return 1 if changed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())

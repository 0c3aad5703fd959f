"""Write the problem files in problems/, which are committed, from the parameters in corpora/.

    python scripts/regenerate_problems.py            write them, remove those that are no longer made
    python scripts/regenerate_problems.py --check    change nothing; exit 1 and list what differs

Files in problems/ that carry no tag of a corpus are left alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from corpora import CORPORA

from tiler import formats
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.model import text_maps

PROBLEMS = Path(__file__).resolve().parent.parent / "problems"


@cache
def files() -> Mapping[str, str]:
    """What problems/ holds, by the file's path in it."""
    instances = [instance for corpus in CORPORA.values() for instance in corpus()]
    uses = Counter(instance.name for instance in instances)
    made: dict[str, str] = {}
    for instance in instances:
        name = instance.name
        if uses[name] > 1 and instance.reflections:
            stem, _, verdict = name.rpartition("_")
            name = f"{stem}-reflections_{verdict}"
        # What cannot be drawn in a text is JSON.
        ending, module = ("txt", text) if text_maps.has_maps(instance.lattice) else ("json", json)
        path = f"{name}.{ending}"
        if path in made:
            raise ValueError(f"two problems are called {name}")
        made[path] = module.write(replace(instance, name=name))
    return made


def differences(made: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The paths that are not as they should be, and what is wrong with each: missing, differs or superfluous."""
    wrong = {}
    for path, content in made.items():
        file = folder / path
        if not file.exists():
            wrong[path] = "missing"
        elif file.read_bytes() != content.encode():
            wrong[path] = "differs"
    for file in [*folder.glob("**/*.txt"), *folder.glob("**/*.json")]:
        path = file.relative_to(folder).as_posix()
        if path not in made and is_ours(file):
            wrong[path] = "superfluous"
    return dict(sorted(wrong.items()))


def is_ours(file: Path) -> bool:
    """Whether a file carries the tag of a corpus that this script writes."""
    try:
        return not CORPORA.keys().isdisjoint(formats.read(file).about.tags)
    except InputError:
        return False


def main(arguments: list[str] | None = None, folder: Path = PROBLEMS) -> int:
    parser = argparse.ArgumentParser(description="Write the problem files in problems/.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 and list what differs")
    options = parser.parse_args(arguments)
    made = files()
    wrong = differences(made, folder)
    for path, what in wrong.items():
        print(f"{what:<12} {path}")
        if options.check:
            continue
        file = folder / path
        if what == "superfluous":
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(made[path].encode())
    verb = "differ" if options.check else "written or removed"
    print(f"{len(made)} problems, {len(wrong)} files {verb}")
    return 1 if options.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())

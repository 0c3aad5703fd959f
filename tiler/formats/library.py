"""Find problem files by name, from any folder: those of a folder `problems` here, and those that are installed with Tiler.

In a checkout ours lie beside the package, in an installation within it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tiler import version

FOLDER = "problems"
ENDINGS = ("txt", "json", "problem", "xmpuzzle")


def folders() -> Iterator[Path]:
    """The folders of problems, one here first."""
    package = Path(version.__file__).parent
    checkout = package.parent
    for folder in (Path(FOLDER), package / FOLDER, *([checkout / FOLDER] if (checkout / "pyproject.toml").is_file() else [])):
        if folder.is_dir():
            yield folder


def names() -> list[str]:
    """The names of the problems in these folders."""
    files = {path.relative_to(folder) for folder in folders() for ending in ENDINGS for path in folder.rglob(f"*.{ending}")}
    return sorted(path.with_suffix("").as_posix() for path in files)


def find(name: str | Path) -> str | Path:
    """The file that is meant: one of this name if there is one, else the problem of this name, with or without the folder and an
    ending; the name as it is if it means nothing. A problem of the thesis is found by its name there too, which has a quote where
    tiles may be turned over.

    >>> find("4L/10x10_u") == find("problems/4L/10x10_u.txt")
    True
    >>> find("many-unique/4r-5r-04x20'_s") == find("many-unique/4r-5r-04x20_s")
    True
    """
    path = Path(name)
    if os.path.lexists(path) or path.is_absolute() or ".." in path.parts:
        return name
    inside = path.relative_to(FOLDER) if path.parts[:1] == (FOLDER,) else path
    for meant in dict.fromkeys((str(inside), unquoted(str(inside)))):
        for folder in folders():
            for ending in ("", *(f".{ending}" for ending in ENDINGS)):
                file = f"{folder / meant}{ending}"
                if os.path.isfile(file):
                    return file
    return name


def unquoted(name: str) -> str:
    """A name of the thesis as it is here.

    >>> unquoted("many-unique/4r-5r-04x20'_s")
    'many-unique/4r-5r-04x20_s'
    """
    return name.replace("'", "")

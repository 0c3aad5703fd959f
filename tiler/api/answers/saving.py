"""Write the values of `tiler` to files, in the form that the ending of the name says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tiler.errors import BadOption
from tiler.process import files
from tiler.render.scene import Page


def files_of(page: Callable[[], Page], title: str) -> Mapping[str, Callable[[], str | bytes]]:
    """Functions that write a page, by the ending of the file: svg, png or pdf."""
    from tiler.render import image, papers, svg

    return {
        "svg": lambda: svg.of_page(page(), title),
        "png": lambda: image.of_page(page(), title, "png"),
        "pdf": lambda: image.of_page(papers.filled(page(), title), title, "pdf"),
    }


def write(path: str | Path, forms: Mapping[str, Callable[[], str | bytes]]) -> None:
    """Write a file in the form that its ending stands for; BadOption, with those there are, if it stands for none."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in forms:
        raise BadOption(f"path={str(path)!r}: its name must end in {', '.join(f'.{form}' for form in forms)}")
    content = forms[ending]()
    files.write(path, content.encode() if isinstance(content, str) else content)

"""The notebooks run from top to bottom, and show what is stored in them. With UPDATE_NOTEBOOKS set they are stored anew."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_output

FOLDER = Path(__file__).parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def tidy(notebook: Any) -> Any:
    """The notebook without what differs from run to run: when cells ran, what went to stderr, and how the rest was cut up."""
    for cell in notebook.cells:
        cell.get("metadata", {}).pop("execution", None)
        if cell.cell_type == "code":
            printed = "".join(each.text for each in cell.outputs if each.get("name") == "stdout")
            shown = [each for each in cell.outputs if each.output_type != "stream"]
            cell.outputs = ([new_output("stream", name="stdout", text=printed)] if printed else []) + shown
    return notebook


def outputs(notebook: Any) -> list[str]:
    """What each cell prints and shows, seconds left out."""
    shown = [json.dumps(cell.outputs, sort_keys=True) for cell in notebook.cells if cell.cell_type == "code"]
    return [re.sub(r"[0-9.,]+ (?:\\u00b5s|ms|s|min)\b", "...", each) for each in shown]


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")  # Those of Jupyter.
def test_a_notebook_shows_what_is_stored(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    run = nbformat.from_dict(stored)
    NotebookClient(run, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    run = tidy(run)
    if os.environ.get("UPDATE_NOTEBOOKS"):
        nbformat.write(run, path)
        return
    assert outputs(run) == outputs(stored)


def test_pictures_are_in_the_notebooks() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        text = path.read_text()
        assert text.count("image/svg+xml") >= 5
        assert "Traceback" not in text

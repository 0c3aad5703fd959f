"""The modules of the page, without a browser: their tests, their types, and where the vendored ones come from."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tiler
from tiler.report.runs import SCRIPTS

PAGE = Path(tiler.__file__).parent / "apps" / "studio" / "page"
TESTS = Path(__file__).parent / "page"
MODULES = sorted(PAGE.glob("*.js"))


def test_the_pure_modules_pass_their_tests() -> None:
    node = shutil.which("node")
    if node is None:
        assert os.environ.get("TILER_BROWSER") != "required"
        pytest.skip("there is no node")
    # All in one process, which ends with a status other than 0 if a test fails.
    script = "".join(f'await import("{file.as_uri()}");' for file in sorted(TESTS.glob("*.test.mjs")))
    done = subprocess.run(
        [node, "--test-reporter=spec", "--input-type=module", "-e", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


def test_the_types_agree() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        assert os.environ.get("TILER_BROWSER") != "required"
        pytest.skip("there is no tsc (npm install --global typescript)")
    done = subprocess.run([tsc, "-p", str(PAGE)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout


def test_vendored_files_are_those_that_the_list_names() -> None:
    folder = PAGE / "vendor"
    listed = json.loads((folder / "vendor.json").read_text())["files"]
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.mjs")}
    assert {each["file"]: each["sha256"] for each in listed} == found
    for each in listed:
        name = each["package"].removeprefix("@preact/")
        assert (folder / f"{name}.LICENSE").is_file(), name


def imported(path: Path) -> set[str]:
    """What a module imports, by its names there."""
    return set(re.findall(r'^(?:import|export|\}) .*from "([^"]+)";$', path.read_text(), re.MULTILINE))


def test_modules_are_short_and_import_what_there_is() -> None:
    mapped = set(re.findall(r'"(\S+)": "\./vendor/', (PAGE / "index.html").read_text()))
    for path in MODULES:
        assert len(path.read_text().splitlines()) <= 400, path.name
        for name in imported(path):
            assert name in mapped or (PAGE / name).is_file(), (path.name, name)


MOST_COLUMNS = 140


def test_lines_are_short() -> None:
    for path in MODULES:
        longest = max(map(len, path.read_text(encoding="utf-8").splitlines()))
        assert longest <= MOST_COLUMNS, path.name


def test_no_module_imports_itself_through_others() -> None:
    left = {path.name: {name.removeprefix("./") for name in imported(path)} for path in MODULES}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left


def test_the_page_of_runs_has_all_of_its_scripts() -> None:
    fetched = re.search(r"export const SCRIPTS = (\[.*\]);", (PAGE / "classic_scripts.js").read_text())
    assert fetched is not None
    assert tuple(json.loads(fetched[1])) == SCRIPTS


def test_only_engines_fetch() -> None:
    """Nothing else in the page knows which engine it has."""
    talking = {path.name for path in MODULES if re.search(r"\bfetch\(|EventSource|sendBeacon", path.read_text())}
    assert talking == {"engine_worker.js", "event_stream.js", "http_engine.js", "worker_engine.js"}


def test_the_page_needs_nothing_from_elsewhere() -> None:
    index = (PAGE / "index.html").read_text()
    assert not re.search(r"https?://|\bstyle=|\son\w+=", index)
    assert all(not re.search(r"https?://(?!www\.w3\.org/)", path.read_text()) for path in (*MODULES, *PAGE.glob("*.css")))

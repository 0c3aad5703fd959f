"""Backends from files: named, refused where they clash, told apart by their content, and loaded wherever a search goes on."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tiler.backends import plugins
from tiler.errors import TilerError

PAGE = (Path(__file__).parents[2] / "docs/tutorials/solvers.md").read_text()
SHOWN = next(block for block in re.findall(r"```python.*?\n(.*?)```", PAGE, re.DOTALL) if "@register" in block)
#: Under another name, so that whoever tries the example in tiler/backends has both.
EXAMPLE = SHOWN.replace('"recursive"', '"loaded"')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "recursive.py"
    path.write_text(EXAMPLE)
    return path


def tiler(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tiler", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )


def test_a_solver_from_a_file(file: Path) -> None:
    done = tiler("count", "4x4", "2", "--load", file, "--solver", "loaded:last=on")
    assert (done.stdout, done.stderr) == ("36\n", "")
    told = tiler("solvers", "loaded", "--load", file).stdout
    assert "of several such items take the last" in told
    assert f"From {file.resolve()}." in told
    assert "unknown solver 'loaded'" in tiler("count", "4x4", "2", "--solver", "loaded").stderr


@pytest.mark.long
def test_other_processes_load_it_too(file: Path, tmp_path: Path) -> None:
    done = tiler("count", "4x10", "2", "--load", file, "--solver", "loaded", "--executor", "local:2")
    assert (done.stdout, done.returncode) == ("18061\n", 0)
    out = tmp_path / "out"
    done = tiler(
        "bench", "--filter", "2/02x0*", "--load", file, "--solver", "loaded", "--no-plots", "--no-warm-repeats", "-o", out
    )
    records = [json.loads(line) for line in (out / "runs.jsonl").read_text().splitlines()]
    assert records
    for record in records:
        assert record["category"] in ("correct", "unknown")
        # Not by `plugins.load`: what is loaded here stays for all tests of this process.
        assert record["plugin"]["digest"] == hashlib.sha256(file.read_bytes()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("x = 1 +", "it cannot be loaded: SyntaxError"),
        ("raise RuntimeError('no\\nway')", "it cannot be loaded: RuntimeError: no way"),
        (EXAMPLE.replace('"loaded"', '"dlx"'), "two backends are called dlx"),
        (None, "No such file or directory"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(tmp_path: Path, content: str | None, why: str) -> None:
    path = tmp_path / "plugin.py"
    if content is not None:
        path.write_text(content)
    done = tiler("count", "4x4", "2", "--load", path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert why in done.stderr


def test_another_file_at_the_same_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plugin.py"
    path.write_text("here = 1")
    with pytest.raises(TilerError, match="is another file here"):
        plugins.ensure(plugins.Plugin(str(path), "0" * 16))
    with pytest.raises(TilerError, match="not to be had here"):
        plugins.ensure(plugins.Plugin(str(tmp_path / "none.py"), "0" * 16))
    plugins.ensure(plugins.load(str(path)))
    plugins.ensure(None)


def test_a_solver_of_another_distribution_names_its_module() -> None:
    other = type("Other", (), {"__module__": "theirs.solvers"})
    assert plugins.source_of(other) == "the module theirs.solvers"


def test_a_broken_distribution_is_a_line_in_the_list(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from tiler.cli.main import main

    broken = (plugins.Broken("theirs", "ImportError: no module"),)
    monkeypatch.setattr(plugins, "broken", lambda: broken)
    assert main(["solvers"]) == 0
    assert "theirs  (broken: ImportError: no module)" in capsys.readouterr().out

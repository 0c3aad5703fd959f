"""Which version, of what, and where it does not run."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest
from commands import call

from tiler.backends.backtracking import Backtracking
from tiler.bench import environment
from tiler.version import __version__


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version") == call(capsys, "-V") == (0, f"tiler {__version__}\n", "")


def test_every_engine_with_its_version_or_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Backtracking, "requires", ("no_such_engine",))
    status, out, err = call(capsys, "--version", "--verbose")
    assert (status, err) == (0, "")
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in out.splitlines()}
    assert lines["tiler"] == __version__
    assert lines["Python"].startswith(sys.version.split()[0])
    for name, users in (("numba", "the compiled searches"), ("ortools", "cpsat"), ("pulp", "ilp"), ("python-sat", "sat")):
        assert lines[name] == f"{metadata.version(name)} {users}"
    assert lines["no_such_engine"] == "not installed: pip install no_such_engine backtracking"


def test_records_name_the_versions_of_engines_beyond_the_required_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Backtracking, "requires", ("pytest", "no_such_engine"))
    versions = environment.versions()
    assert versions["pytest"] == metadata.version("pytest")
    assert {"tiler", "python", "numpy", "numba", "python-sat", "pulp", "highspy", "ortools"} <= versions.keys()
    assert "no_such_engine" not in versions


def test_elsewhere_it_starts() -> None:
    code = "import sys; from tiler.cli import start; sys.exit(start())"
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"tiler {__version__}\n")

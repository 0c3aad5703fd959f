"""What is built holds all that an installation needs: the problems, and of the tests those that can be run against it."""

from __future__ import annotations

import re
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling, which builds, is not installed")

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from tiler import optional_packages

ROOT = Path(__file__).parent.parent

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="there is nothing here to build"),
]


def problems() -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "problems").rglob("*") if path.is_file()}


def test_a_wheel_holds_the_package_and_the_problems(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert {name.removeprefix("tiler/") for name in names if name.startswith("tiler/problems/")} == problems()
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tiler").rglob("*.py")}
    assert modules | {"tiler/SKILL.md", "tiler/CITATION.cff"} <= set(names)
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"tiler"}


@pytest.mark.parametrize("has_libraries", [False, True])
def test_a_wheel_needs_numba_or_brings_machine_code(has_libraries: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILER_LIBRARIES", raising=False)
    (tmp_path / "libraries").mkdir()
    for name in ("kernels-0.so", "list.json"):
        (tmp_path / "libraries" / name).touch()
    if has_libraries:
        monkeypatch.setenv("TILER_LIBRARIES", str(tmp_path / "libraries"))
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    wheel = zipfile.ZipFile(path)
    brought = {name.rpartition("/")[2] for name in wheel.namelist() if name.startswith("tiler/kernels/library/")}
    assert brought == ({"kernels-0.so", "list.json"} if has_libraries else set())
    assert path.endswith("-py3-none-any.whl") is not has_libraries
    (metadata,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    assert ("Requires-Dist: numba>=0.62\n" in metadata) is not has_libraries
    assert "Requires-Dist: numba>=0.62; extra == 'compile'\n" in metadata
    assert "Requires-Dist: numpy>=2.0\n" in metadata
    needed = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert sorted(needed) == ["numba"] * (not has_libraries) + ["numpy"]


def test_an_sdist_holds_what_the_tests_need(tmp_path: Path) -> None:
    (sdist,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tests = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*") if path.is_file()}
    assert {name for name in tests if "__pycache__" not in name} <= names
    assert problems() <= names
    assert {"pyproject.toml", "README.md", "LICENSE", ".pre-commit-config.yaml", ".ci/run", "hatch_build.py"} <= names


def test_every_optional_package_is_in_its_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for module, extra in optional_packages.EXTRAS.items():
        names = {re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in extras[extra]}
        if module not in ("PIL", "llvmlite"):  # They come with matplotlib and with numba.
            assert optional_packages.distribution(module) in names, module
    assert {"engines", "plots", "cluster", "studio", "completion", "laser"} == set(_ours(extras["all"]))


def _ours(extra: list[str]) -> list[str]:
    (of_ours,) = [each for each in extra if each.startswith("tiler-bench[")]
    return of_ours.removeprefix("tiler-bench[").removesuffix("]").split(",")


def test_the_development_extra_names_extras_that_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in ("all", "docs", "dev"):
        assert set(_ours(extras[extra])) <= extras.keys()

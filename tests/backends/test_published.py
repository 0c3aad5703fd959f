"""The rows of Table 1 of Busche's article, attempt for attempt.

In these problems the piece that he keeps in one placement of each orbit is put there by a constraint, so that tilings are counted
once.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.question.question import Goal, Question

ROOT = Path(__file__).parents[2]
PROBLEMS = ROOT / "results/reference/busche-problems"
COUNT = Question(Goal.COUNT)
TC = "axes=zyx,handoff=11"


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        pytest.param("dlx", 892_247, id="P-1"),
        pytest.param("dlx:filter=volume", 768_356, id="P-2"),
        pytest.param("dlx:filter=volume,order=mrv+forced:11", 1_000_250, id="P-3"),
    ],
)
def test_dancing_links_on_6x10(spec: str, fits: int) -> None:
    result = solve(formats.read(PROBLEMS / "P.txt"), spec, COUNT).result
    assert (result.count, result.nodes) == (2339, fits)


@pytest.mark.slow
def test_a_filter_by_volume_while_thirteen_pieces_are_left() -> None:
    result = solve(formats.read(PROBLEMS / "PT.txt"), "dlx:filter=volume,volume=12", COUNT).result
    assert (result.count, result.nodes) == (51_184, 78_145_746), "PT-2"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "fits", "no_fits"),
    [
        pytest.param("order=e,nof=off", 48_705_459, 1_093_916_558, id="TC-2"),
        pytest.param("order=e:11+f:3,nof=off", 80_346_268, 1_526_897_959, id="TC-3"),
        pytest.param("order=e:11+f:3", 80_346_268, 393_143_352, id="TC-4"),
    ],
)
def test_image_lists_on_the_tetris_cube(options: str, fits: int, no_fits: int) -> None:
    result = solve(formats.read(PROBLEMS / "TC.txt"), f"fila:{TC},{options}", COUNT).result
    assert (result.count, sum(result.stats["fits"]), sum(result.stats["nofits"])) == (9839, fits, no_fits)


@pytest.mark.slow
def test_the_script_of_fletchers_search_prints_what_the_page_shows() -> None:
    done = subprocess.run([sys.executable, "scripts/fletcher.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"$ python scripts/fletcher.py\n{done.stdout}```" in (ROOT / "docs/reference/findings.md").read_text()

"""CNF files have the hash by which the Global Benchmark Database knows them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from commands import call

from tiler.backends.sat.dimacs import GbdHash


def normalised(content: str) -> str:
    """The numbers of all clauses, as gbdc takes them: comments and the line `p` left out, one space between two."""
    return " ".join(word for line in content.splitlines() if not line.startswith(("c", "p")) for word in line.split())


def test_the_hash_is_as_gbdc_says() -> None:
    """gbdc 0.4.3 about this file."""
    assert GbdHash().of(["c hello", "p cnf 3 2", "1 -2 0", "2 3 0"]).hexdigest == "5c199826eee734c6484e691f3c129214"


@pytest.mark.parametrize("words", [["4x4", "2"], ["3x3", "1:3L", "4L", "1", "--solver", "sat:encoding=amk-totalizer"]])
def test_a_file_has_the_hash_that_is_told(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.cnf"
    status, out, err = call(capsys, "convert", *words, "-o", str(path), "-v")
    found = re.search(r"^tiler: out\.cnf: GBD hash ([0-9a-f]{32})$", err, re.MULTILINE)
    assert (status, out) == (0, "")
    assert found
    assert found[1] == hashlib.md5(normalised(path.read_text()).encode()).hexdigest()
    content = path.read_text()
    assert call(capsys, "convert", *words, "-o", str(path)) == (0, "", "")
    assert path.read_text() == content
    gbdc = pytest.importorskip("gbdc")
    assert gbdc.gbdhash(str(path)) == found[1]

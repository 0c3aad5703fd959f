"""Help texts are broken where they do not fit, and nowhere else."""

from __future__ import annotations

import argparse
from io import StringIO

import pytest

from tiler.cli.main import HelpFormatter
from tiler.cli.shared import output

DESCRIPTION = """\
Write what there is to write, in two
lines of text.

kinds:
  one    of some words that may be broken
  [[two]]   # a comment behind code stays

  tiler kind one --of some words --that stay
"""


BROKEN = """\
Write what there is to
write, in two lines of text.

kinds:
  one    of some words that
         may be broken
  [[two]]   # a comment behind code stays

  tiler kind one --of some words --that stay
"""


@pytest.mark.parametrize(("columns", "text"), [(80, DESCRIPTION), (30, BROKEN)])
def test_texts_that_do_not_fit_are_broken(columns: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    parser = argparse.ArgumentParser(description=DESCRIPTION, formatter_class=HelpFormatter, add_help=False)
    assert parser.format_help().split("\n\n", 1)[1] == text


@pytest.mark.parametrize(("told", "columns"), [("80", 80), ("", None), ("wide", None)])
def test_a_table_is_as_wide_as_columns_says(told: str, columns: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", told)
    assert output.columns_of(StringIO()) == columns

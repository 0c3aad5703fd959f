"""Test a solver of your own, in a test of your own: `check` compares its answers with a brute force."""

from __future__ import annotations

from pathlib import Path

from tiler.backends import plugins
from tiler.backends.base import Backend
from tiler.backends.registry import backends, known, parse_spec, register
from tiler.errors import BadOption
from tiler.selftest import isolated, summary
from tiler.selftest.run import Totals

_MOST = 10  # the number of wrong answers after which the check ends


def check(solver: str | Path | type[Backend], *, problems: int = 10, seconds: float = 10.0, seed: int = 0) -> str:
    """Put tiny problems, each of which needs one thing, larger ones with known counts, and `problems` random ones to a solver.
    Compare its answers with those of a brute force; the solver runs in a process of its own.

    `solver` is a file that registers solvers, the name of a solver, or its class. An answer may take that many `seconds`. Returns
    a sentence that says what was not tried, such as questions that the solver refuses.

    AssertionError lists the wrong answers, each with its problem; so it does if a question has no answer in time, or if nothing
    could be compared. InputError and BadOption say that there is no such solver.
    """
    chosen = _chosen(solver)
    totals = Totals()
    isolated.run(chosen, seed=seed, totals=totals, problems=problems, most=_MOST, bound=seconds)
    bad = [*totals.failures, *totals.unanswered]
    verdict = summary.verdict(totals)
    if bad or not totals.answers:
        answers = f"{totals.answers.total():,} answers compared with a brute force: {verdict}"
        raise AssertionError("\n\n".join([answers, *map(summary.wrong, bad)]))
    return verdict


def _chosen(solver: str | Path | type[Backend]) -> list[type[Backend]]:
    """The solvers that are meant."""
    if isinstance(solver, type):
        return [solver if known(solver.name) is solver else register(solver)]
    if not str(solver).endswith(".py"):
        return [type(parse_spec(str(solver)))]
    module = plugins.load(str(solver)).module
    found = [backend for backend in backends().values() if backend.__module__ == module]
    if not found:
        raise BadOption(f"{solver}: it registers no solver; write @register before its class")
    return found

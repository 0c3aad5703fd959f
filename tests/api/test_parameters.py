"""The parameters of questions are declared once: commands and functions have the same ones, and help lists them."""

from __future__ import annotations

import argparse
import inspect
import re
from dataclasses import fields
from typing import Any

import pytest

import tiler
from tiler.apps.mathematics.plane import PlaneQuestion
from tiler.apps.mathematics.rectangles import RectangleQuestion
from tiler.apps.mathematics.series import SeriesQuestion
from tiler.apps.puzzles.answers.piece_sets import WantedPieces
from tiler.apps.puzzles.unique_puzzles import UniqueQuestion
from tiler.ask.size.estimate import SECONDS
from tiler.cli.main import module_of
from tiler.errors import BadArgument
from tiler.question.parameters import COMMON, FLAG, argument, options_of

QUESTIONS = {
    "choose": WantedPieces,
    "plane": PlaneQuestion,
    "rectangles": RectangleQuestion,
    "series": SeriesQuestion,
    "unique": UniqueQuestion,
}
FUNCTIONS = [name for name in tiler.__all__ if inspect.isfunction(getattr(tiler, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_lists_every_parameter(name: str) -> None:
    function = getattr(tiler, name)
    listed = re.findall(r"^- `(\w+)`: \w", function.__doc__.partition("\n\nParameters:\n\n")[2], re.MULTILINE)
    assert listed == list(inspect.signature(function).parameters)
    assert not {"seconds", "memory"} & set(listed) or " (a number above 0, a text such as '1m', or None; " in function.__doc__


def test_an_estimate_has_a_time_limit_of_its_own() -> None:
    parser = argparse.ArgumentParser()
    module_of("estimate").configure(parser)
    by_function = inspect.signature(tiler.estimate).parameters["seconds"].default
    assert parser.parse_args(["4x4", "2"]).seconds == by_function == SECONDS
    assert f"with the estimate so far (default: {SECONDS:g}s)" in " ".join(parser.format_help().split())


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_command_and_a_function_have_the_same_defaults(name: str) -> None:
    parser = argparse.ArgumentParser()
    module_of(name).configure(parser)
    options = {option: action for action in parser._actions for option in action.option_strings}
    parameters = inspect.signature(getattr(tiler, name)).parameters
    for field in fields(QUESTIONS[name]):
        if options_of(field)[0] in options:
            action = options[options_of(field)[0]]
            assert action.default == field.default == parameters[field.name].default
            assert (action.nargs == 0) == (field.metadata["kind"] is FLAG)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        *(("seconds", "1q", "1q"), ("seconds", "0s", 0), ("memory", "0", 0), ("memory", "2 tons", "2 tons")),
        *(("threads", "0", 0), ("number", "-1", -1), ("seed", "-1", -1), ("seed", "1.5", 1.5)),
    ],
)
def test_a_command_and_a_function_refuse_the_same(field: str, text: str, value: Any) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        COMMON[field].metadata["kind"].read(text)
    with pytest.raises(BadArgument, match=f"^{field}"):
        argument(COMMON[field], value)


def test_arguments_by_place_are_checked_too() -> None:
    with pytest.raises(BadArgument, match="number='3': it must be a whole number from 1"):
        tiler.sample(tiler.make("2x2", "2"), "3")  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="board=4: it must be a text, such as '4xn'"):
        tiler.series(4, "2")  # type: ignore[arg-type]

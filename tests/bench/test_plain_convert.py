"""Without msgspec, as in a web page, the same records are read as with it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from tiler.bench import plain_convert
from tiler.bench.record import Record

CAMPAIGN = Path(__file__).parents[2] / "results" / "reference" / "cube" / "runs.jsonl"
_NUMBERS = (0, 1, -1, 1.0, 0.5, -0.5, 10**18, 10**18 + 1, 10**30, 10**400)
#: What stands in a field in place of what belongs there.
ODD: tuple[Any, ...] = (*_NUMBERS, None, True, "", "sat", "decide", "#aabbcc", "#aabbcc\n", [], {}, {"a": 1}, {"a": "b"})


def changed(whole: Any, draw: random.Random) -> Any:
    """A record with something odd in one of its fields, or without this field."""
    whole = json.loads(json.dumps(whole))
    place = whole
    while isinstance(place[key := draw.choice(list(place))], dict) and place[key] and draw.random() < 0.7:
        place = place[key]
    if draw.random() < 0.2:
        del place[key]
    else:
        place[key] = draw.choice(ODD)
    return whole


def read(convert: Any, error: type[Exception], data: Any) -> str:
    """What a record is read as; the types of its values are in it."""
    try:
        return repr(convert(data, Record))
    except error:
        return "refused"


def test_the_same_records_are_read_and_the_same_refused() -> None:
    draw = random.Random(1)
    program = {"command": "x {cnf}", "colour": "#aabbcc", "projects": True}
    warm = dict.fromkeys(("first_seconds", "least_seconds", "most_seconds", "wall_seconds", "cpu_seconds"), 0.1) | {"runs": 3}
    first = json.loads(CAMPAIGN.read_text().splitlines()[0])
    full = {**first, "program": program, "warm": warm, "plugin": {"path": "a", "digest": "b"}, "unknown": 1}
    told = []
    for data in [full, [], None, "x", {}, *(changed(full, draw) for _ in range(3000))]:
        told.append(read(plain_convert.convert, plain_convert.ValidationError, data))
        assert told[-1] == read(msgspec.convert, msgspec.ValidationError, data), data
    assert told[0] != "refused"
    assert 500 < told.count("refused") < 2500

"""Keep what was asked for beside the records: a campaign file in their folder, which `tiler bench` and the studio read.

The file has every campaign that made records there: one more is one more part. So the file alone makes all of these runs again.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tiler import printable
from tiler.backends.base import Backend
from tiler.backends.command import Program
from tiler.backends.plugins import Plugin, origin_of
from tiler.backends.registry import parse_spec
from tiler.bench import plan, record
from tiler.bench.campaign import named_specs
from tiler.bench.job import Job
from tiler.bench.order import RunOrder
from tiler.bench.plan import DEFAULT_TAG, Campaign, CampaignPart
from tiler.bench.record import Record
from tiler.errors import TilerError
from tiler.process import files

PLAN = "campaign.toml"  #: the file in the folder of the records

_LINE = 100  # the most letters of a list in one line


def keep(campaign: Campaign, folder: Path) -> None:
    """Write a campaign into the folder of its records. What is asked for there already stays; InputError if it cannot be read."""
    known = _known(folder)
    if known is None:
        files.write(folder / PLAN, text(campaign, folder).encode("utf-8", "backslashreplace"))
        return
    order = campaign.order or known.order
    parts = _unknown(campaign, known, folder)
    if parts or order != known.order:
        both = replace(known, title=known.title or campaign.title, parts=(*known.parts, *parts), order=order)
        files.write(folder / PLAN, text(both, folder).encode("utf-8", "backslashreplace"))


def order_in(folder: Path) -> RunOrder | None:
    """The order of runs that was asked for in a folder; None if there is none."""
    known = _known(folder)
    return None if known is None else known.order


def strangers(folder: Path, campaign: Campaign, jobs: Sequence[Job]) -> list[Record]:
    """The records in a folder of problems that a campaign with these jobs does not ask about, or with a goal or limits that it
    does not have; none if the campaign was asked for there before."""
    known = _known(folder)
    if known is not None and not _unknown(campaign, known, folder):
        return []
    names = {job.name for job in jobs}
    pairs = {(job.question.goal, job.question.limits) for job in jobs}
    questions = {(goal, frozenset(vars(limits).items())) for goal, limits in pairs}
    return [
        each
        for each in record.read(folder).records
        if each["instance"] not in names or (each["goal"], frozenset(each["limits"].items())) not in questions
    ]


def short_name(campaign: Campaign) -> str:
    """A name for the folder of a campaign, by the problems that it asks for.

    >>> short_name(Campaign()), short_name(Campaign(parts=(CampaignPart(filter=("4?/*_u", "mixed")),)))
    ('thesis', '4-u-mixed')
    """
    words = [
        word
        for part in campaign.parts
        for word in (*part.filter, *part.tag, *(Path(path).stem for path in (*part.instances, *filter(None, [part.problems]))))
    ]
    parts = re.findall("[A-Za-z0-9]+", " ".join(dict.fromkeys(words)))
    return "-".join(parts)[:40].strip("-") or DEFAULT_TAG


def _known(folder: Path) -> Campaign | None:
    """The campaign in the folder of its records; None if there is none."""
    path = folder / PLAN
    return plan.read(str(path)) if path.is_file() else None


def _unknown(campaign: Campaign, known: Campaign, folder: Path) -> tuple[CampaignPart, ...]:
    """The parts of a campaign that another one, in this folder, does not have."""
    there = [_settings(part, folder) for part in known.parts]
    return tuple(part for part in campaign.parts if _settings(part, folder) not in there)


def text(campaign: Campaign, folder: Path) -> str:
    """A campaign as a file in a folder."""
    path = shlex.quote(printable.line(str(folder / PLAN)))
    loads = "".join(f"--load {shlex.quote(file)} " for file in _loaded(campaign))
    lines = [f"# Written by Tiler. This makes the same runs: tiler bench {loads}{path}"]
    if campaign.title:
        lines.append(f"title = {_value(campaign.title)}")
    lines.append(f"output = {_value(str(folder))}")
    if campaign.order is not None:
        lines.append(f"order = {_value(str(campaign.order))}")
    several = len(campaign.parts) > 1
    blocks = []
    for part in campaign.parts:
        settings = [f"{key} = {_value(value)}" for key, value in _settings(part, folder).items()]
        blocks.append(["", "[[part]]", *settings] if several else settings)
    for table in _tables(campaign, folder):
        blocks.append(["", "[[solver]]", *(f"{key} = {_value(value)}" for key, value in table.items())])
    return "\n".join([*lines, *(line for block in blocks for line in block)]) + "\n"


def _settings(part: CampaignPart, folder: Path) -> dict[str, object]:
    """The settings of a part, for a file in a folder."""
    chosen: dict[str, object] = {
        "problems": None if part.problems is None else _from(folder, part.problems),
        "tag": part.tag,
        "filter": part.filter,
        "instances": tuple(_from(folder, path) for path in part.instances),
        "only": part.only,
        "solvers": part.solvers,
    }
    return {key: value for key, value in chosen.items() if value} | {
        "goal": str(part.goal),
        "time-limit": f"{part.time_limit:.12g}s",
        "memory-limit": f"{part.memory_limit}M",
        "threads": part.threads,
        "repeat": part.repeat,
        "seeds": part.seeds,
        "scramble": part.scramble,
    }


def _from(folder: Path, path: str) -> str:
    """A path as it is named in a folder."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # It is on another drive.
        return os.path.abspath(path)


def _named(campaign: Campaign) -> Iterator[Backend]:
    """The solvers that a campaign names; those that are not known here are left out."""
    for part in campaign.parts:
        for spec in part.solvers:
            with suppress(TilerError):
                yield from map(parse_spec, named_specs([spec], part.goal))


def _loaded(campaign: Campaign) -> list[str]:
    """The files of the solvers of a campaign that were loaded from files."""
    origins = dict.fromkeys(map(origin_of, _named(campaign)))
    return [_from(Path(), origin.path) for origin in origins if isinstance(origin, Plugin)]


def _tables(campaign: Campaign, folder: Path) -> list[dict[str, object]]:
    """The tables of the programs that a campaign asks."""
    origins = dict.fromkeys(map(origin_of, _named(campaign)))
    return [origin.table(_from(folder, origin.folder)) for origin in origins if isinstance(origin, Program)]


def _value(value: object) -> str:
    """A value in TOML."""
    if isinstance(value, tuple | list):
        values: Sequence[object] = value
        line = f"[{', '.join(map(_value, values))}]"
        return line if len(line) <= _LINE else f"[\n{''.join(f'  {_value(each)},{chr(10)}' for each in values)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(printable.line(value), ensure_ascii=False)
    return str(value)

"""Lay out what an artifact holds, in a folder, and pack it.

    campaign/        campaign.toml, runs.jsonl, env.json; the caller draws report.md, report.html and plots/ into it
    smoke/           campaign.toml: some short runs of the campaign
    problems/        the problems of the campaign, and no others
    wheels/          see wheels.py
    CITATION.cff, README.md, manifest.json, ro-crate-metadata.json
    __main__.py      reproduction.py, which reads all this

The manifest says what each command is, what pip installs, and the SHA-256 of each file.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tiler import formats, version
from tiler.backends.plugins import origin_of
from tiler.backends.registry import parse_spec
from tiler.bench import campaign_file, corpus, plan, store
from tiler.bench.artifact import reproduction
from tiler.bench.campaign import named_specs
from tiler.bench.plan import Campaign, CampaignPart
from tiler.bench.record import Category, Record
from tiler.errors import BadOption, InputError, TilerError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process import files
from tiler.version import __version__

CAMPAIGN, SMOKE, PROBLEMS = "campaign", "smoke", "problems"
README, CITATION = "README.md", "CITATION.cff"

_SMOKE_SECONDS = 60.0  # wall clock seconds of all runs of the smoke test, when they were recorded
_SMOKE_RUN_SECONDS = 1.0  # of one of them
_SMOKE_SHARE = 0.2  # of its time limit, so that it ends within the limit on a slower machine too
_SMOKE_ROUNDS = 3  # runs by each solver

_SOUND = (Category.CORRECT, Category.VERIFIED, Category.CERTIFIED, Category.UNCHECKED)


@dataclass(frozen=True)
class ArchivedCampaign:
    """A campaign as the artifact has it: `problems` are the files by name; `left_out` says in words what cannot be made again."""

    campaign: Campaign
    problems: Mapping[str, Path]
    left_out: tuple[str, ...] = ()


def campaign_of(folder: Path) -> Campaign:
    """The campaign whose records are in a folder: campaign.toml there, or the file of the folder's name beside it."""
    for path in (folder / campaign_file.PLAN, folder.with_name(f"{folder.name}.toml")):
        if path.is_file():
            return plan.read(str(path))
    raise InputError(f"there is neither {campaign_file.PLAN} here nor {folder.name}.toml beside it: what was run?", str(folder))


def archived(campaign: Campaign, records: Sequence[Record]) -> ArchivedCampaign:
    """The campaign with problems and solvers that are named one by one, and without the solvers that come from files or are
    programs of others: the artifact does not hold these."""
    chosen = [_chosen(part) for part in campaign.parts]
    problems = _merged(chosen)
    left_out: dict[str, None] = {}
    parts = []
    for part, some in zip(campaign.parts, chosen, strict=True):
        solvers = tuple(_kept(part, records, left_out))
        names = () if some.keys() == problems.keys() else tuple(f"/^{re.escape(name)}$/" for name in some)
        if solvers:
            parts.append(replace(part, problems=PROBLEMS, filter=names, tag=(), instances=(), solvers=solvers))
    if not parts:
        raise BadOption(f"nothing of this campaign could be made again from an artifact: {'; '.join(left_out)}")
    return ArchivedCampaign(replace(campaign, output=None, parts=tuple(parts)), problems, tuple(left_out))


def _chosen(part: CampaignPart) -> dict[str, Path]:
    """The files of the problems of a part, by name."""
    wanted = {instance.name: instance for instance in part.chosen()}
    named = {formats.name_of_file(Path(path)): Path(path) for path in part.instances}
    if wanted.keys() - named.keys():
        folder = corpus.find_folder(part.problems)
        named = corpus.names(folder) | named
    return {name: named[name] for name in wanted}


def _merged(chosen: Sequence[Mapping[str, Path]]) -> dict[str, Path]:
    merged: dict[str, Path] = {}
    for some in chosen:
        for name, path in some.items():
            other = merged.setdefault(name, path)
            if other != path and other.read_bytes() != path.read_bytes():
                raise InputError(f"it has the same name as {other}: rename one of the two", str(path))
    return merged


def _kept(part: CampaignPart, records: Sequence[Record], left_out: dict[str, None]) -> Iterator[str]:
    """The solvers of a part that an artifact can bring along; of a part that names none, those with records."""
    for spec in part.solvers or dict.fromkeys(record["solver"] for record in records if _is_of(record, part)):
        try:
            origins = [origin_of(parse_spec(each)) for each in named_specs([spec], part.goal)]
        except TilerError as error:
            left_out[f"{spec} ({error})"] = None
            continue
        if any(origins):
            left_out[f"{spec} (a program or a file that is not in the artifact)"] = None
        else:
            yield spec


def _is_of(record: Record, part: CampaignPart) -> bool:
    """Whether a record has the goal and the limits of a part."""
    limits = record["limits"]
    return (
        record["goal"] == part.goal
        and limits.get("seconds") == part.time_limit
        and limits.get("megabytes") == part.memory_limit
        and limits.get("threads") == part.threads
    )


def smoke(
    campaign: Campaign, problems: Sequence[Instance], records: Sequence[Record], same: Mapping[str, str]
) -> Campaign | None:
    """Some short runs by every solver of a campaign, each a part; None if no run was short. `same` has the spec, as the campaign
    names it, of each solver in the records."""
    digests = {instance.name: instance.digest for instance in problems}
    queues: dict[tuple[CampaignPart, str], list[Record]] = {}
    for part in campaign.parts:
        for spec in part.solvers:
            short = [each for each in records if same.get(each["solver"]) == spec and _is_of(each, part) and _is_short(each)]
            short = [
                each
                for each in short
                if digests.get(each["instance"]) == each.get("digest") and not (each.get("repeat") or each.get("form"))
            ]
            queues[part, spec] = sorted(short, key=lambda record: (-(record.get("wall_seconds") or 0.0), record["instance"]))
    chosen: dict[tuple[CampaignPart, str], list[str]] = {}
    left = _SMOKE_SECONDS
    for number in range(_SMOKE_ROUNDS):
        for key, queue in queues.items():
            # The longest of the short runs, one in the middle, the shortest.
            index = number * (len(queue) - 1) // (_SMOKE_ROUNDS - 1)
            if (
                queue
                and queue[index]["instance"] not in chosen.get(key, ())
                and (wall := queue[index].get("wall_seconds") or 0.0) <= left
            ):
                left -= wall
                chosen.setdefault(key, []).append(queue[index]["instance"])
    parts = tuple(
        replace(part, filter=tuple(f"/^{re.escape(name)}$/" for name in names), solvers=(spec,), repeat=1, seeds=1, scramble=1)
        for (part, spec), names in chosen.items()
    )
    return replace(campaign, title="Smoke test", parts=parts) if parts else None


def _is_short(record: Record) -> bool:
    wall, limit = record.get("wall_seconds"), record["limits"].get("seconds")
    most = min(_SMOKE_RUN_SECONDS, _SMOKE_SHARE * float(limit or _SMOKE_RUN_SECONDS / _SMOKE_SHARE))
    return wall is not None and wall <= most and record["status"] != Status.UNKNOWN and record["category"] in _SOUND


def lay_out(kept: ArchivedCampaign, records: Sequence[Record], same: Mapping[str, str], folder: Path, into: Path) -> bool:
    """Copy records and problems of a campaign, whose records are in `folder`, and write its files; whether there is a smoke
    test."""
    for name, path in kept.problems.items():
        target = into / PROBLEMS / f"{name}{path.suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    problems = corpus.select(into / PROBLEMS)
    short = smoke(kept.campaign, problems, records, same)
    for name, campaign in ((CAMPAIGN, kept.campaign), (SMOKE, short)):
        if campaign is not None:
            (into / name).mkdir()
            files.write(into / name / campaign_file.PLAN, campaign_file.text(campaign, Path(name)).encode())
    for name in (store.RUNS, store.ENVIRONMENT):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, into / CAMPAIGN / name)
    files.write(into / CITATION, citation().encode())
    files.write(into / "__main__.py", Path(reproduction.__file__).read_bytes())
    return short is not None


def citation() -> str:
    """How Tiler is cited, as a file of the Citation File Format."""
    package = Path(version.__file__).parent
    for path in (package / CITATION, package.parent / CITATION):
        if path.is_file():
            return path.read_text("utf-8")
    raise TilerError(f"{CITATION} is missing in this installation of Tiler")


def commands(kinds: Sequence[str], has_smoke: bool) -> dict[str, list[list[str]]]:
    """The commands of the smoke test, of the full campaign, of all figures, and of each kind of figure by itself; they run in the
    folder of the artifact."""

    def made(kind: str, *conditions: str) -> list[list[str]]:
        plan, results = f"{kind}/{campaign_file.PLAN}", f"{reproduction.AGAIN}/{kind}"
        failing = [word for condition in conditions for word in ("--fail-if", condition)]
        return [
            ["tiler", "bench", plan, "--no-plots", "--output", results],
            ["tiler", "report", CAMPAIGN, results, *failing],
        ]

    plot = ["tiler", "plot", CAMPAIGN, "--output", reproduction.FIGURES]
    return {
        **({"smoke": made(SMOKE, "answers", "counts", "lost:0")} if has_smoke else {}),
        "full": made(CAMPAIGN, "answers", "counts"),
        "figures": [plot] if kinds else [],
        **{f"figure {kind}": [[*plot, "--kind", kind]] for kind in kinds},
    }


def manifest(
    title: str, runs: Mapping[str, list[list[str]]], requirements: Sequence[str], left_out: Sequence[str], folder: Path
) -> bytes:
    """The content of the manifest of what lies in a folder."""
    listed = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    content = {
        "schema": reproduction.SCHEMA,
        "title": title,
        "tiler": __version__,
        "platform": reproduction.platform(),
        "requirements": list(requirements),
        "commands": runs,
        "left_out": list(left_out),
        "files": {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in listed.items()},
    }
    return (json.dumps(content, indent=2) + "\n").encode()


def readme(
    title: str, runs: Mapping[str, list[list[str]]], left_out: Sequence[str], has_wheels: bool, measured: Sequence[str]
) -> str:
    """The first page of an artifact, for readers who have nothing else."""
    where = reproduction.platform()
    needs = (
        f"Python {where['python']} on {where['machine']}, for which the wheels in `wheels/` are; no network"
        if has_wheels
        else "an installed Tiler (`--here`), as there are no wheels"
    )
    here = "" if has_wheels else " --here"
    lines = [
        f"# {title}",
        "",
        f"An artifact of Tiler {__version__}: a campaign, its records, its figures, and what makes them again. You need {needs}.",
        "",
        "```",
        f"python3 artifact.zip --smoke{here}   # some short runs and all figures, less than five minutes",
        f"python3 artifact.zip --full{here}    # all runs",
        "```",
        "",
        "`artifact.zip` is this file under its own name, or the folder in which it was unpacked. `tiler reproduce artifact.zip`",
        "does the same. Answers and numbers of tilings must be the same, and the data of figures, which are drawn from the",
        "records in the artifact. Seconds may differ: they are those of the machine.",
        "",
        "The records were made with:",
        "",
        *(f"- {words}" for words in measured),
        "",
        *(["Not made again:", "", *(f"- {words}" for words in left_out), ""] if left_out else []),
        "| in the unpacked artifact | command |",
        "|---|---|",
        *(f"| {what} | {'; '.join(f'`{chr(32).join(words)}`' for words in some)} |" for what, some in runs.items() if some),
        "",
        "| file | content |",
        "|---|---|",
        "| `campaign/campaign.toml`, `problems/` | what was asked |",
        "| `campaign/runs.jsonl`, `campaign/env.json` | a record for each run; the machine |",
        "| `campaign/report.html`, `campaign/plots/` | tables and figures, with the data of each as CSV |",
        "| `manifest.json` | the commands, and the SHA-256 of each file |",
        "| `ro-crate-metadata.json` | a description as RO-Crate 1.3 |",
        "| `CITATION.cff` | how to cite Tiler |",
        "",
    ]
    return "\n".join(lines)


def pack(folder: Path, out: Path) -> int:
    """Pack a folder into a zip, which appears whole or not at all, and return its size in bytes."""
    with files.Replacement(out) as new:
        with zipfile.ZipFile(new.file, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    stored = zipfile.ZIP_STORED if path.suffix == ".whl" else zipfile.ZIP_DEFLATED
                    packed.write(path, path.relative_to(folder).as_posix(), stored)
        return new.file.tell()

"""`tiler archive`: pack a campaign with all that makes it again into one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tiler import printable
from tiler.amounts import counted
from tiler.cli.shared import declared
from tiler.errors import BadOption
from tiler.optional_packages import need
from tiler.process import files
from tiler.question.parameters import WORDS, declare, fields_of, parameter

HELP = "pack a campaign, its figures and the wheels that make both again into one file"
EXAMPLES = """\
  tiler archive results/bench -o artifact.zip
  tiler archive results/thesis -o artifact.zip --no-wheels
  tiler reproduce artifact.zip --smoke
"""
_DESCRIPTION = """\
Pack the campaign in a results folder into a zip, an artifact: the campaign, its
problems and records, a report with figures drawn from the records, the command that
makes each figure, a description as RO-Crate 1.3, CITATION.cff, a smoke test, and the
wheels of Tiler and of the packages in the versions that the records name. pip fetches
the wheels; they are for this Python on machines like this one.

Who has the artifact makes all of it again without a network, by `python3 artifact.zip`
or by `tiler reproduce`. Solvers that are programs of others, or come from a file, are
not packed: their records are, and the README says so.
"""
_OPTIONS = declare(
    results=parameter(None, "a folder of tiler bench", WORDS, metavar="FOLDER", by_place=True),
    wheels=parameter(True, "leave out the wheels: the artifact is small, and needs an installed Tiler"),
)
_WRITTEN = {"help": "write the artifact into this file", "metavar": "ARTIFACT.zip", "absent": "FOLDER.zip"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    declared.add(parser, fields_of(declared.OPTIONS, _OPTIONS), "results", "wheels", "title", "output", output=_WRITTEN)


def run(args: argparse.Namespace) -> int:
    need("archive", "msgspec", "matplotlib", "markdown_it", "rocrate")
    from tiler.bench import store
    from tiler.bench.artifact import contents, crate, reproduction, wheels
    from tiler.bench.campaign import named_specs
    from tiler.bench.stats import newest
    from tiler.report import chosen_records, draw, report, style
    from tiler.report.names import short
    from tiler.report.panels import codes, place

    def say(line: str) -> None:
        if not args.quiet:
            print(printable.line(f"tiler archive: {line}"), file=sys.stderr, flush=True)

    folder = Path(args.results)
    records = chosen_records.read(folder)
    out = Path(args.output or f"{folder.resolve().name}.zip")
    if out.is_dir():
        raise BadOption(f"{out} is a folder; name a file, such as -o artifact.zip")
    kept = contents.archived(contents.campaign_of(folder), records)
    title = args.title or printable.line(store.title_of(folder) or kept.campaign.title) or f"Results of {folder.resolve().name}"
    specs = {
        short(full): spec for part in kept.campaign.parts for spec in part.solvers for full in named_specs([spec], part.goal)
    }
    same = {solver: specs[short(solver)] for solver in {record["solver"] for record in records} if short(solver) in specs}
    with TemporaryDirectory(prefix="tiler-") as place_to_pack:
        into = Path(place_to_pack)
        has_smoke = contents.lay_out(kept, newest(records), same, folder, into)
        say("drawing the figures")
        # As `tiler plot` draws them again from the folder.
        with style.laid_out(style.Layout(about=chosen_records.about(into / contents.CAMPAIGN))):
            report.write(records, into / contents.CAMPAIGN, title)
        plots = into / reproduction.PLOTS
        kinds = [kind for kind in draw.KINDS if any(plots.rglob(f"{kind}*.svg"))]
        if args.wheels:
            say("fetching the wheels")
            wheels.collect(wheels.measured_with(records), into / reproduction.WHEELS)
        runs = contents.commands(kinds, has_smoke)
        measured = sorted({*map(place, records), *codes(records)} - {""})
        files.write(into / contents.README, contents.readme(title, runs, kept.left_out, args.wheels, measured).encode())
        files.write(into / crate.METADATA, crate.describe(into, title, contents.citation(), runs))
        required = wheels.requirements(wheels.measured_with(records)) if args.wheels else []
        files.write(into / reproduction.MANIFEST, contents.manifest(title, runs, required, kept.left_out, into))
        size = contents.pack(into, out)
    for line in (*kept.left_out, *([] if has_smoke else ["a smoke test: no run was short enough"])):
        say(f"not in it: {line}")
    what = (
        f"{counted(len(records), 'record')}, {counted(len(kept.problems), 'problem')}, figures of {counted(len(kinds), 'kind')}"
    )
    print(printable.line(f"{out}: {what}, {size / 1e6:.1f} MB; tiler reproduce {out} --smoke tries it"))
    return 0

"""Build the studio as a static page, with the engine inside.

    scripts/page --pyodide DIR page && python -m http.server --directory page

DIR holds the release of Pyodide that is named below; every file of it is compared with its sha256. The page brings all parts
along, asks no other host for anything, and works without a network after the first visit. parts.html lists the parts. Needs
Node (Pyodide compiles the package for itself) and wasm-ld (Debian: lld).
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))  # This checkout is what the page is made of.

VERSION = "0.27.7"
NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
#: The files of the release that the page takes, by name: their sha256.
RELEASE = {
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    NUMPY: "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
}
_PLATFORM = {"abi_version": "2024_0", "arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7", "version": VERSION}
WHERE = f"""\
the page needs Pyodide {VERSION} and the NumPy of that release, in one folder:
  mkdir pyodide && npm pack pyodide@{VERSION} && tar xzf pyodide-{VERSION}.tgz --strip-components=1 -C pyodide
  curl -Lo pyodide/{NUMPY} https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/{NUMPY}
then: scripts/page --pyodide pyodide"""

#: What the page waits for as data, while it shows how much is there; the other files are scripts.
_FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip", NUMPY)
#: Files of the studio's page that only its developers need.
_NOT_SHOWN = ("*.d.ts", "tsconfig.json")
_VIEWER = ("three.min.js", "view.js", "view.css")
_LIBRARIES = ("three.min.js", "d3.min.js", "plot.umd.min.js")  # parts of their own in the list of parts
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{scripts}; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"
)


class Part(NamedTuple):
    """A part of the page: what it is, its files below the page's folder, and the text of its licence."""

    name: str
    version: str
    licence: str
    files: tuple[str, ...]
    text: str


def main() -> None:
    """Build the page."""
    parser = argparse.ArgumentParser(
        prog="scripts/page", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help=f"a folder with Pyodide {VERSION} and its NumPy")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("page"), help="where the page goes (default: page)")
    arguments = parser.parse_args()
    wrong = refusal(arguments.pyodide, arguments.folder)
    if wrong:
        sys.exit(f"scripts/page: {wrong}")
    build(arguments.pyodide, arguments.folder)
    files = [path for path in arguments.folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{arguments.folder}: {len(files):,} files, {size / 1e6:.1f} MB; show it: python -m http.server -d {arguments.folder}")


def refusal(pyodide: Path | None, folder: Path) -> str:
    """What is missing or wrong; empty if the page can be built."""
    if pyodide is None or not pyodide.is_dir():
        return WHERE
    for name, expected in RELEASE.items():
        file = pyodide / name
        if not file.is_file():
            return f"{file} is missing; {WHERE}"
        if sha256(file) != expected:
            return f"{file} is not that of the release: its sha256 is {sha256(file)}, not {expected}; {WHERE}"
    for program, package in (("node", "nodejs"), ("wasm-ld", "lld")):
        if shutil.which(program) is None:
            return f"{program} is missing: install it (Debian: apt install {package})"
    if folder.exists() and any(folder.iterdir()) and not (folder / "parts.json").is_file():
        return f"{folder} holds something else than such a page: name another folder"
    return ""


def sha256(file: Path) -> str:
    """The fingerprint of a file, in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def build(pyodide: Path, folder: Path) -> None:
    """Write the page into a folder, in place of what is there."""
    from tiler.report.runs import SCRIPTS, STYLE

    shutil.rmtree(folder, ignore_errors=True)
    source = ROOT / "tiler" / "apps" / "studio" / "page"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(*_NOT_SHOWN))
    (folder / "viewer").mkdir()
    for name in _VIEWER:
        shutil.copy(ROOT / "tiler" / "render" / "viewer" / name, folder / "viewer" / name)
    (folder / "runs").mkdir()
    for name in (*SCRIPTS, STYLE):
        shutil.copy(ROOT / "tiler" / "report" / "page" / name, folder / "runs" / name)
    (folder / "pyodide").mkdir()
    for name in RELEASE:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    (folder / "pyodide" / "pyodide-lock.json").write_text(json.dumps(lock()))
    with tempfile.TemporaryDirectory() as temporary:
        pack(folder, Path(temporary))
    thumbnails(folder / "thumbnails")
    policy = index(folder / "index.html")
    kept = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    list_parts(folder, parts(folder))
    offline(folder, [name for name in kept if not name.startswith("thumbnails/")], policy)


def lock() -> dict[str, object]:
    """The list of packages that Pyodide reads: NumPy alone."""
    numpy = {
        **{"name": "numpy", "version": NUMPY.split("-")[1], "file_name": NUMPY, "sha256": RELEASE[NUMPY]},
        **{"depends": [], "imports": ["numpy"], "install_dir": "site", "package_type": "package", "unvendored_tests": True},
    }
    return {"info": _PLATFORM, "packages": {"numpy": numpy}}


def pack(folder: Path, temporary: Path) -> None:
    """Write the package with its kernels, compiled by the Python of the page; and what the page knows before it has Python."""
    environment = {**os.environ, "TILER_LIBRARIES": str(temporary / "library"), "PYTHONPATH": str(ROOT)}

    def run(*command: object) -> None:
        done = subprocess.run([*map(str, command)], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"scripts/page: {' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")

    run(sys.executable, "-m", "tiler.kernels.wheel_library", "--wasm", temporary / "library")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", temporary)
    (wheel,) = temporary.glob("*.whl")
    python = ["node", HERE / "pyodide.mjs", folder / "pyodide"]
    run(*python, wheel, HERE / "pack.py", f"/files{folder.resolve()}/tiler.zip")
    run(*python, folder / "tiler.zip", HERE / "known.py", f"/files{temporary}/replies.json")
    fetched = [folder / "tiler.zip", *(folder / "pyodide" / name for name in _FETCHED)]
    replies = json.loads((temporary / "replies.json").read_text(encoding="utf-8"))
    known = {"bytes": sum(path.stat().st_size for path in fetched), "replies": replies}
    (folder / "known.json").write_text(json.dumps(known, separators=(",", ":")), encoding="utf-8")


def thumbnails(folder: Path) -> None:
    """Write a small picture of each problem in the list."""
    from tiler.apps.studio import naming

    folder.mkdir()
    for problem in naming.catalogue().problems:
        name = quote(problem.name, safe="!'()*")  # as encodeURIComponent has it
        (folder / f"{name}.svg").write_text(naming.thumbnail(problem.name))


def index(page: Path) -> str:
    """Say in the page that the engine is inside, and what it may fetch; the policy that is said."""
    from tiler.apps.studio.server import inline_scripts

    text = page.read_text()
    scripts = "".join(f" '{hash}'" for hash in inline_scripts(text.encode()))
    policy = _POLICY.format(scripts=scripts)
    head = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    text = text.replace('<html lang="en">', '<html lang="en" data-engine="page">', 1)
    page.write_text(text.replace('<meta charset="utf-8">', head, 1))
    return policy


def parts(folder: Path) -> list[Part]:
    """Everything that the page consists of."""
    from tiler.version import __version__

    ours = [
        path for path in folder.rglob("*") if path.is_file() and not {"vendor", "pyodide"} & {*path.relative_to(folder).parts}
    ]
    names = tuple(sorted(path.relative_to(folder).as_posix() for path in ours if path.name not in _LIBRARIES))
    with zipfile.ZipFile(folder / "pyodide" / NUMPY) as wheel:
        (licence,) = [name for name in wheel.namelist() if name.endswith(".dist-info/LICENSE.txt")]
        numpy = wheel.read(licence).decode()
    runtime = tuple(f"pyodide/{name}" for name in RELEASE if name != NUMPY)
    return [
        Part("Tiler", __version__, "MIT", names, (ROOT / "LICENSE").read_text()),
        Part("Pyodide", VERSION, "MPL-2.0", runtime, (HERE / "MPL-2.0.txt").read_text()),
        Part("CPython, in Pyodide", _PLATFORM["python"], "PSF-2.0", (), (HERE / "PSF-2.0.txt").read_text()),
        Part("NumPy", NUMPY.split("-")[1], "BSD-3-Clause", (f"pyodide/{NUMPY}",), numpy),
        *_vendored(),
    ]


def _vendored() -> Iterable[Part]:
    """The libraries that lie in the repository, each with the text of its licence beside it."""
    vendor = ROOT / "tiler" / "apps" / "studio" / "page" / "vendor"
    for package, files in groupby(json.loads((vendor / "vendor.json").read_text())["files"], key=lambda each: each["package"]):
        listed = list(files)
        text = (vendor / f"{package.rpartition('/')[2]}.LICENSE").read_text()
        yield Part(package, listed[0]["version"], listed[0]["licence"], tuple(f"vendor/{each['file']}" for each in listed), text)
    viewer = ROOT / "tiler" / "render" / "viewer"
    revision = re.search(r'"(\d{3})(?:dev)?"', (viewer / "three.min.js").read_text())
    version = f"r{revision[1]}" if revision else ""
    runs = (ROOT / "tiler" / "report" / "page" / "LICENSES.txt").read_text()
    for file, name, number in re.findall(r"^(\S+\.js), (.+) ([\d.]+), http", runs, re.MULTILINE):
        yield Part(name, number, "ISC", (f"runs/{file}",), runs)
    yield Part("three.js", version, "MIT", ("viewer/three.min.js",), (viewer / "three.LICENSE").read_text())


def list_parts(folder: Path, found: list[Part]) -> None:
    """Write the list of parts, for programs and for people."""
    listed = [
        {**part._asdict(), "files": {name: sha256(folder / name) for name in part.files if not name.startswith("thumbnails/")}}
        for part in found
    ]
    (folder / "parts.json").write_text(json.dumps(listed, indent=1) + "\n")
    sections = []
    for part in listed:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td><code>{digest}</code></td></tr>" for name, digest in part["files"].items()
        )
        table = f"<table><tr><th>File</th><th>sha256</th></tr>{rows}</table>" if rows else ""
        title = html.escape(f"{part['name']} {part['version']}, {part['licence']}")
        text = html.escape(str(part["text"]))
        sections.append(f"<details><summary>{title}</summary>{table}<pre>{text}</pre></details>")
    (folder / "parts.html").write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Parts of this page</title>'
        f"<h1>Parts of this page</h1>{''.join(sections)}\n"
    )


def offline(folder: Path, files: list[str], policy: str) -> None:
    """Write the service worker, with what it keeps."""
    kept = [*files, "parts.html", "parts.json"]
    digest = hashlib.sha256(json.dumps([(name, sha256(folder / name)) for name in kept]).encode()).hexdigest()[:16]
    said = json.dumps({"name": f"tiler-{digest}", "files": kept, "policy": policy})
    (folder / "offline.js").write_text(f"const KEPT = {said};\n{(HERE / 'offline.js').read_text()}")


if __name__ == "__main__":
    main()

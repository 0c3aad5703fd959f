"""Run in Pyodide (pyodide.mjs): compile the package that is installed there, and pack it for the page.

pack.py ARCHIVE
"""

import compileall
import py_compile
import site
import sys
import zipfile
from pathlib import Path

#: Folders that no page needs: what the page has as files of its own.
LEFT_OUT = ("tiler/apps/studio/page/", "tiler/report/page/", "tiler/problems/__pycache__")


def main() -> None:
    folder = Path(site.getsitepackages()[0])
    compileall.compile_dir(folder / "tiler", quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.glob("tiler*/**/*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith(LEFT_OUT):
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()

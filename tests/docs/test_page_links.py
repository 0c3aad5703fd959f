"""Links of the pages to the page with the engine inside hold the problem that an example is about."""

from __future__ import annotations

import base64
import json
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.apps.studio.engine import document_of, instance_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import page_links  # noqa: E402

PAGE = """\
```text title="own.txt"
xx
xx

2
```

```console
$ tiler count own.txt
2
```

```console
$ tiler solvers
...
$ tiler count 4x4 2
36
```

```console
$ tiler plane hat
```
"""


def problems(text: str) -> list[Any]:
    """The problems in the links of a page."""
    codes = re.findall(r'href="\.\./page/index\.html#d=([^"]+)"', text)
    packed = [base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)) for code in codes]
    return [json.loads(zlib.decompress(each, wbits=-15))["problem"] for each in packed]


def test_each_example_about_a_problem_has_a_link_below_it() -> None:
    text = page_links.with_links(PAGE, "tutorials/any.md")
    linked = problems(text)
    assert [tiler.count(instance_of(problem)) for problem in linked] == [2, 2, 36]
    assert linked[2] == document_of(tiler.make("4x4", "2"))
    assert re.sub(r'\n\n<p class="opens">.*</p>\n', "", text) == PAGE


@pytest.mark.parametrize(("name", "script"), [("SCHEMA", "document.js"), ("MOST_LINK", "link.js")])
def test_the_page_reads_such_links(name: str, script: str) -> None:
    source = (ROOT / "tiler/apps/studio/page" / script).read_text()
    (value,) = re.findall(rf"export const {name} = (.+?);", source)
    assert json.loads(value.replace("_", "")) == getattr(page_links, name)

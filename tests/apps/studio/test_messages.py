"""Messages: their JSON, strict reading, the types that are written from them, and the examples."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tiler.apps.studio import campaign_messages, catalogue_messages, message_json, messages
from tiler.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[3] / "scripts"))
import make_examples
import page_types

KINDS: dict[str, Any] = {
    **{"open": messages.OpenMessage, "opened": messages.OpenedMessage, "lay": messages.LayMessage},
    **{"laid": messages.LaidMessage, "ask": messages.AskMessage, "tiles": messages.TilesMessage},
    **{"board": messages.BoardMessage, "read": messages.ReadMessage, "catalogue": catalogue_messages.CatalogueMessage},
    **{"failed": messages.FailedMessage, "gone": messages.GoneMessage, "progress": messages.ProgressMessage},
    **{"campaign": campaign_messages.CampaignMessage, "refusals": campaign_messages.RefusalsMessage},
    **{"forms": campaign_messages.SolverFormsMessage, "results": campaign_messages.ResultsMessage},
    **{"document": campaign_messages.DocumentMessage},
    "counted": messages.CountedMessage,
    **{"lattices": tuple[messages.LatticeMessage, ...], "events": tuple[messages.Event, ...]},
}
FILES = sorted(make_examples.FOLDER.glob("*.json"))


def kind_of(path: Path) -> Any:
    return KINDS[path.stem.rpartition(".")[2]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_is_read_and_written_again(path: Path) -> None:
    text = path.read_text()
    assert message_json.dumps(message_json.loads(kind_of(path), text)) + "\n" == text


def test_the_examples_are_those_that_the_engine_makes() -> None:
    made = {f"{name}.json": make_examples.text_of(message) for name, message in make_examples.examples()}
    assert sorted(made) == [path.name for path in FILES]
    for path in FILES:
        assert json.loads(path.read_text()) == json.loads(made[path.name]), path.name


def test_the_types_of_the_page_are_written_from_the_messages() -> None:
    assert page_types.TYPES_FILE.read_text() == page_types.declarations()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "Lay is []; it must be an object"),
        ('{"session": "s"}', "Lay lacks 'revision'"),
        ('{"session": "s", "revision": true}', "'revision' of Lay is true; it must be a whole number"),
        ('{"session": "s", "revision": 1, "revison": 2}', 'Lay has an unknown key "revison"; nearest: revision'),
        ('{"session": "s", "revision": 1, "laid": [{"tile": "X", "cells": [["0"]]}]}', '"0"; it must be a whole number'),
        ('{"session": "s", "revision": 1, "laid": {}}', "'laid' of Lay is {}; it must be a list"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_message_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        message_json.loads(messages.LayMessage, text)
    assert said in str(raised.value)


def test_a_deeply_nested_text_is_refused() -> None:
    with pytest.raises(InputError):
        message_json.loads(messages.OpenMessage, '{"session": "s", "problem": ' + "[" * 100_000)

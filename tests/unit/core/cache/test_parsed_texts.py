"""Results of parsers in the user's cache: each text is parsed once, and no state of the folder changes a result."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from nopt.core.cache import parsed_texts
from nopt.core.cache.private_files import Cache
from nopt.core.contract.contract import parse_contract
from nopt.core.diagnostics import Refused
from nopt.core.neuron.neuron import read_text
from nopt.core.neuron.tree import NeuronFile

TEXT = "neuron lif for lif\ninput x\nstate v = 0\nv = v + x\nspike = v > 1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    parsed_texts.parsed_cache.cache_clear()
    yield tmp_path / "nopt" / "parsed"
    parsed_texts.parsed_cache.cache_clear()


class Parser:
    """A parser that counts its texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str) -> NeuronFile:
        self.texts.append(text)
        return read_text(text, "<neuron>")


def parse(parser: Parser, text: str = TEXT) -> NeuronFile:
    found: NeuronFile = parsed_texts.parsed(NeuronFile, "neuron", text, parser)
    return found


def test_text_is_parsed_once(folder: Path) -> None:
    parser = Parser()
    assert parse(parser) == parse(parser) == read_text(TEXT, "<neuron>")
    assert len(parser.texts) == 1
    assert len(list(folder.iterdir())) == 1
    parse(parser, TEXT.replace("> 1", "> 2"))
    assert len(parser.texts) == 2


def test_every_neuron_of_this_installation_is_stored_without_a_loss() -> None:
    from nopt.core import registry

    for path in registry.neurons().values():
        parser, text = Parser(), path.read_text(encoding="utf-8")
        first, again = parse(parser, text), parse(parser, text)
        assert len(parser.texts) == 1
        assert repr(again) == repr(first)


@pytest.mark.parametrize("content", [b"", b"text", pickle.dumps("another type"), pickle.dumps(NeuronFile)])
def test_unusable_file_is_replaced(folder: Path, content: bytes) -> None:
    parser = Parser()
    wanted = parse(parser)
    (file,) = folder.iterdir()
    file.write_bytes(content)
    assert parse(parser) == wanted
    file.unlink()
    Cache(folder).keep(file.name, content)  # with a valid digest
    assert parse(parser) == wanted
    assert len(parser.texts) == 3
    assert parse(parser) == wanted
    assert len(parser.texts) == 3


def test_another_version_has_other_results(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser()
    parse(parser)
    monkeypatch.setattr(parsed_texts, "parsers_digest", lambda: b"another version")
    parse(parser)
    assert len(parser.texts) == 2


def test_folder_of_others_is_not_used(folder: Path) -> None:
    parser = Parser()
    parse(parser)
    folder.chmod(0o777)
    parse(parser)
    assert len(parser.texts) == 2


def test_no_folder_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    parsed_texts.parsed_cache.cache_clear()
    parser = Parser()
    assert parse(parser) == parse(parser)
    assert len(parser.texts) == 2


def test_refusals_are_not_stored(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(Refused, match="NEU023"):
            parse_contract("neurons <=", {"neurons": "1"})
    assert not folder.exists()
    for _ in range(2):
        assert parse_contract("neurons <= 4", {"neurons": "1"}).holds({"neurons": 3})
    assert len(list(folder.iterdir())) == 1

"""Profiles of instruction sets: the files of nopt, the probe of the processor, and equal results of all profiles."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from attrs import evolve
from programs import needs_compiler
from real_networks import real_network

from nopt.core.diagnostics import Refused
from nopt.targets.c.instructions import profile as profiles
from nopt.targets.c.instructions.profile import built_in_profiles, own_profile, profile_named, unsupported_reason
from nopt.targets.c.source import generate

INSTALLED = ("avx2", "avx512", "helium", "neon", "scalar", "sse4")


def test_the_profiles_of_nopt() -> None:
    assert tuple(built_in_profiles()) == INSTALLED
    for name, profile in built_in_profiles().items():
        assert profile.name == name
        assert profile.alignment_bytes <= max(16, profile.vector_bytes)
    assert {profile.states for profile in built_in_profiles().values()} == {"all", "fit"}
    assert profile_named("helium").most_operands == 8
    assert profile_named("avx2").most_operands == 0


def test_the_probe_takes_what_the_processor_has(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, features, wanted in (
        ("x86_64", {"sse4_1", "avx2", "avx512f"}, "avx2"),
        ("x86_64", {"sse4_1"}, "sse4"),
        ("x86_64", set[str](), "scalar"),
        ("x86_64", None, "scalar"),
        ("aarch64", {"asimd"}, "neon"),
        ("riscv64", set[str](), "scalar"),
    ):
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        monkeypatch.setattr(profiles, "processor_features", lambda features=features: features)
        assert own_profile().name == wanted, (machine, features)


def test_the_reason_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(profiles, "processor_features", lambda: {"sse4_1", "avx512f", "avx512bw", "avx512dq"})
    assert unsupported_reason(profile_named("sse4")) is None
    assert unsupported_reason(profile_named("avx512")) == "the processor has no avx512vl"
    assert unsupported_reason(profile_named("neon")) == "the processor is x86_64"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[", "Expecting value"),
        ("[]", "none"),
        ('{"schema": "nopt.profile/2"}', "nopt.profile/2"),
        ('{"schema": "nopt.profile/1", "name": "x"}', "alignment_bytes"),
    ],
)
def test_refuses_other_files(text: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text)
    with pytest.raises(Refused, match=f"(?s)CSR021.*found: .*{found}"):
        profile_named(str(path))


@needs_compiler
def test_a_profile_changes_the_source_and_its_flags() -> None:
    network = real_network(5).network
    texts = {name: generate(network, preferences={"profile": name}) for name in INSTALLED}
    assert texts["avx2"].flags[-1] == "-mavx2"
    assert len({text.files["net.c"] for text in texts.values()}) > 1
    fields = evolve(profile_named("avx2"), states="fit")
    assert fields.most_operands == 16

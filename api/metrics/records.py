"""Records of the metrics of NeuroBench, by its names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from attrs import field, frozen

from ...core.number_texts import counted_text
from ..json_record import Record, key

FOOTPRINT = "Footprint"


@frozen
class SynapticOperations(Record):
    """Operations of connections in an inference."""

    macs: float = field(metadata=key("Effective_MACs"))
    acs: float = field(metadata=key("Effective_ACs"))
    dense: float = field(metadata=key("Dense"))


@frozen
class NeuronOperations(Record):
    """Operations of neurons in an inference."""

    effective: float = field(metadata=key("Effective Neuron Ops"))
    dense: float = field(metadata=key("Neuron Dense Ops"))


@frozen
class Metrics(Record):
    """Results by the names of NeuroBench's metrics; a metric without a number is null."""

    footprint: int = field(metadata=key(FOOTPRINT))
    """Units: [bytes]."""
    parameters: int = field(metadata=key("ParameterCount"))
    connection_sparsity: float | None = field(metadata=key("ConnectionSparsity"))
    activation_sparsity: float | None = field(metadata=key("ActivationSparsity"))
    layer_sparsity: dict[str, float] = field(metadata=key("ActivationSparsityByLayer"))
    synaptic: SynapticOperations = field(metadata=key("SynapticOperations"))
    membrane_updates: float | None = field(metadata=key("MembraneUpdates"))
    neuron_operations: NeuronOperations | None = field(metadata=key("NeuronOperations"))


@frozen
class NeuroBench(Record):
    """Metrics of NeuroBench for a network and samples: the record `nopt.neurobench/1`."""

    SCHEMA = "nopt.neurobench/1"

    harness: str
    """Version of NeuroBench whose definitions are used."""
    network: str
    stage: str | None
    """The pass of a build whose network is measured; None for a network that is not one of a build."""
    samples: int
    ticks: int
    """Ticks of an inference."""
    footprint_bits: int
    """Bits of the parameters; `Footprint` is this number in bytes, rounded up."""
    has_integers: bool
    """Whether parameters are integers."""
    metrics: Metrics
    reasons: dict[str, str]
    """Why a metric is null, by its name."""


def metric_rows(networks: Sequence[NeuroBench]) -> Iterator[tuple[str, ...]]:
    """Yields a row for each metric: its name and its value for each network. Integers have a row of bits."""
    shown = [dict(flat_metrics(one.metrics.as_json())) for one in networks]
    names = dict.fromkeys(name for one in shown for name in one)
    metrics = [*dict.fromkeys(name.partition(".")[0] for name in names)]
    for name in sorted(names, key=lambda name: metrics.index(name.partition(".")[0])):
        if any(other.startswith(f"{name}.") for other in names):
            continue  # null for some networks
        yield name, *(metric_text(one.get(name)) for one in shown)
        if name == FOOTPRINT and any(one.has_integers for one in networks):
            yield f"{FOOTPRINT} [bits]", *(metric_text(one.footprint_bits) for one in networks)


def flat_metrics(metrics: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the numbers of nested metrics by path: `SynapticOperations.Dense`."""
    for name, value in metrics.items():
        if isinstance(value, dict):
            yield from flat_metrics(cast("dict[str, Any]", value), f"{prefix}{name}.")
        else:
            yield prefix + name, value


def metric_text(value: float | None) -> str:
    """Formats a number with at most two decimals, a share with four; `-` without a number."""
    if value is None:
        return "-"
    decimals = 4 if 0 < value < 1 else 2
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{decimals}f}".rstrip("0").rstrip(".")


def metric_lines(networks: Sequence[NeuroBench]) -> Iterator[str]:
    """Yields the reasons for metrics without a number, and what was measured."""
    yield from dict.fromkeys(f"{name}: {reason}" for one in networks for name, reason in one.reasons.items())
    last = networks[-1]
    ticks, samples = counted_text(last.ticks, "tick"), counted_text(last.samples, "sample")
    yield f"definitions of NeuroBench {last.harness}; one inference: {ticks}; mean of {samples}"

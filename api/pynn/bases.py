"""Classes of PyNN that those of the back end derive from. PyNN has no types: type checkers see one class whose attributes are all `Any`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class Foreign:
        """A class of PyNN."""

        def __init__(self, *args: Any, **options: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...

    AssemblyBase = ConnectionBase = IDBase = PopulationBase = ProjectionBase = RecorderBase = StateBase = ViewBase = (
        Foreign
    )
    CurrExpBase = CurrDeltaBase = CondExpBase = ArrayBase = PoissonBase = Foreign
    StaticBase = StdpBase = TsodyksMarkramBase = Foreign
    AdditiveBase = MultiplicativeBase = MixedBase = GutigBase = PairBase = Foreign
else:
    from .requirements import package

    common, cells, synapses = (
        package(f"pyNN.{name}") for name in ("common", "standardmodels.cells", "standardmodels.synapses")
    )
    AssemblyBase, PopulationBase, ViewBase = common.Assembly, common.Population, common.PopulationView
    ConnectionBase, ProjectionBase = common.Connection, common.Projection
    IDBase, StateBase = common.IDMixin, common.control.BaseState
    RecorderBase = package("pyNN.recording").Recorder
    CurrExpBase, CurrDeltaBase, CondExpBase = cells.IF_curr_exp, cells.IF_curr_delta, cells.IF_cond_exp
    ArrayBase, PoissonBase = cells.SpikeSourceArray, cells.SpikeSourcePoisson
    StaticBase, StdpBase = synapses.StaticSynapse, synapses.STDPMechanism
    TsodyksMarkramBase, PairBase = synapses.TsodyksMarkramSynapse, synapses.SpikePairRule
    AdditiveBase, MultiplicativeBase = synapses.AdditiveWeightDependence, synapses.MultiplicativeWeightDependence
    MixedBase, GutigBase = synapses.AdditivePotentiationMultiplicativeDepression, synapses.GutigWeightDependence

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
    CurrExpBase = CurrAlphaBase = CurrDeltaBase = CondExpBase = CondAlphaBase = AdaptiveBase = Foreign
    EifExpBase = EifAlphaBase = IzhikevichBase = IonicBase = ArrayBase = PoissonBase = Foreign
    DirectBase = StepBase = AlternatingBase = NoisyBase = Foreign
    StaticBase = StdpBase = TsodyksMarkramBase = Foreign
    AdditiveBase = MultiplicativeBase = MixedBase = GutigBase = PairBase = Foreign
else:
    from .requirements import package

    common = package("pyNN.common")
    cells, synapses, electrodes = (
        package(f"pyNN.standardmodels.{name}") for name in ("cells", "synapses", "electrodes")
    )
    AssemblyBase, PopulationBase, ViewBase = common.Assembly, common.Population, common.PopulationView
    ConnectionBase, ProjectionBase = common.Connection, common.Projection
    IDBase, StateBase = common.IDMixin, common.control.BaseState
    RecorderBase = package("pyNN.recording").Recorder
    CurrExpBase, CurrAlphaBase, CurrDeltaBase = cells.IF_curr_exp, cells.IF_curr_alpha, cells.IF_curr_delta
    CondExpBase, CondAlphaBase, AdaptiveBase = cells.IF_cond_exp, cells.IF_cond_alpha, cells.IF_cond_exp_gsfa_grr
    EifExpBase, EifAlphaBase = cells.EIF_cond_exp_isfa_ista, cells.EIF_cond_alpha_isfa_ista
    IzhikevichBase, IonicBase = cells.Izhikevich, cells.HH_cond_exp
    DirectBase, StepBase = electrodes.DCSource, electrodes.StepCurrentSource
    AlternatingBase, NoisyBase = electrodes.ACSource, electrodes.NoisyCurrentSource
    ArrayBase, PoissonBase = cells.SpikeSourceArray, cells.SpikeSourcePoisson
    StaticBase, StdpBase = synapses.StaticSynapse, synapses.STDPMechanism
    TsodyksMarkramBase, PairBase = synapses.TsodyksMarkramSynapse, synapses.SpikePairRule
    AdditiveBase, MultiplicativeBase = synapses.AdditiveWeightDependence, synapses.MultiplicativeWeightDependence
    MixedBase, GutigBase = synapses.AdditivePotentiationMultiplicativeDepression, synapses.GutigWeightDependence

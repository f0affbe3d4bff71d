"""Kernels and their stages."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    var_operand_def,
)
from xdsl.traits import HasParent, NoTerminator

from ...core.ir.operation import NoptOperation
from .bodies import LoadOp, StoreOp
from .memory import Form, FormAttr, Kind, Phase, PhaseAttr, buffer_of, inconsistent


@irdl_op_definition
class StageOp(NoptOperation):
    """Elements 0 to `size` - 1 of a sample; the body computes element `e`.

    `phase`: `enter` and `leave` run once in a dispatch of a group, before its first tick and after its last; they copy states into the memory of
    the workgroup, and back. The copies of two dispatches are equal, so a dispatch of one tick has the same results.
    """

    name = "kernels.stage"
    size = prop_def(IntegerAttr.constr(i64))
    phase = opt_prop_def(PhaseAttr)
    body = region_def("single_block")
    traits = lazy_traits_def(lambda: (NoTerminator(), HasParent(KernelOp)))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$size attr-dict-with-keyword $body"

    def __init__(self, size: int, body: Block, phase: Phase = Phase.TICK):
        properties: dict[str, Attribute] = {"size": IntegerAttr(size, i64)}
        if phase is not Phase.TICK:
            properties["phase"] = PhaseAttr(phase)
        super().__init__(properties=properties, regions=[Region(body)])

    @property
    def elements(self) -> int:
        return self.size.value.data

    @property
    def phase_data(self) -> Phase:
        return Phase.TICK if self.phase is None else self.phase.data

    def verify_(self) -> None:
        types = [arg.type for arg in self.body.block.args]
        if types != [IndexType()]:
            inconsistent(self, "the body of a stage has other arguments", "index", ", ".join(map(str, types)))


def memories_in(op: Operation) -> dict[SSAValue, bool]:
    """Returns the buffers that the ops in an op access, in the order of their first access, and whether they write them."""
    found: dict[SSAValue, bool] = {}
    for inner in op.walk():
        if isinstance(inner, LoadOp | StoreOp):
            found[inner.memory] = found.get(inner.memory, False) or isinstance(inner, StoreOp)
    return found


@irdl_op_definition
class KernelOp(NoptOperation):
    """One dispatch: its bindings, the invocations of a workgroup, and its stages.

    Of the form `grid`, it has one stage, an invocation for each element and sample, and computes one tick. Of the form `group`, a workgroup computes
    a sample, stage by stage, for at most `ticks` ticks.
    Errors: KRN001 several stages of a grid, ticks, phases or shared memory of a grid, phases in another order than enter, tick, leave, or bindings that
    are not the buffers of the bodies.
    """

    name = "kernels.kernel"
    label = prop_def(StringAttr)
    workgroup = prop_def(IntegerAttr.constr(i64))
    form = opt_prop_def(FormAttr)
    ticks = opt_prop_def(IntegerAttr.constr(i64))
    bindings = var_operand_def(base(MemRefType))
    body = region_def("single_block")
    traits = lazy_traits_def(lambda: (NoTerminator(),))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$label $bindings attr-dict `:` type($bindings) $body"

    def __init__(self, label: str, stages: Sequence[StageOp], workgroup: int, form: Form = Form.GRID, ticks: int = 1):
        properties: dict[str, Attribute] = {
            "label": StringAttr(label),
            "workgroup": IntegerAttr(workgroup, i64),
        }
        if form is not Form.GRID:
            properties |= {"form": FormAttr(form), "ticks": IntegerAttr(ticks, i64)}
        found: dict[SSAValue, bool] = {}
        for stage in stages:
            found |= memories_in(stage)
        super().__init__(operands=[list(found)], properties=properties, regions=[Region(Block(stages))])

    def rebind(self) -> None:
        """Sets the bindings to the buffers of the bodies, after a change of the bodies."""
        self.operands = list(memories_in(self))

    @property
    def stages(self) -> list[StageOp]:
        return [op for op in self.body.block.ops if isinstance(op, StageOp)]

    def in_phase(self, phase: Phase) -> list[StageOp]:
        """Returns the stages of a phase."""
        return [stage for stage in self.stages if stage.phase_data is phase]

    @property
    def form_data(self) -> Form:
        return Form.GRID if self.form is None else self.form.data

    @property
    def most_ticks(self) -> int:
        return 1 if self.ticks is None else self.ticks.value.data

    @property
    def invocations(self) -> int:
        """Returns the invocations of a workgroup."""
        return self.workgroup.value.data

    @property
    def groups(self) -> int:
        """Returns the workgroups of a sample."""
        if self.form_data is Form.GROUP:
            return 1
        return -(-self.stages[0].elements // self.invocations)

    def verify_(self) -> None:
        stages = self.stages
        if not stages or len(stages) != len(list(self.body.block.ops)):
            inconsistent(self, "a kernel has other ops than stages", "kernels.stage", "another op, or none")
        phases = [list(Phase).index(stage.phase_data) for stage in stages]
        used, bound = set(memories_in(self)), list(self.bindings)
        if self.form_data is Form.GRID:
            if len(stages) > 1 or self.ticks is not None or phases != [list(Phase).index(Phase.TICK)]:
                inconsistent(self, "a grid has no barrier", "one stage and one tick", f"{len(stages)} stages")
            if shared := [memory for memory in used if buffer_of(memory).kind.data is Kind.SHARED]:
                label = buffer_of(shared[0]).label.data
                inconsistent(
                    self, "a grid shares no memory", "a kernel of the form group", f"{label} in {self.label.data}"
                )
        if phases != sorted(phases):
            inconsistent(self, "the phases of a kernel are not in order", "enter, tick, leave", "another order")
        if used != set(bound) or len(bound) != len(used):
            expected = f"{len(used)} buffers, those of its bodies"
            inconsistent(self, "the bindings of a kernel are not its buffers", expected, f"{len(bound)}")
        if self.invocations < 1 or self.most_ticks < 1:
            inconsistent(self, "a kernel has no invocations", "at least 1, and 1 tick", str(self.invocations))

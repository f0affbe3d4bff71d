"""Kernel programs: the limits and features of the device that they are for, and their verifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float64Type,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import ParsePropInAttrDict, base, irdl_op_definition, opt_prop_def, prop_def, region_def, traits_def
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from ...core.diagnostics import Code, invalid
from ...core.fixed_point import Interval
from ...core.help_text import Flag, OtherDevice, Phrase, preference
from ...core.ir.operation import ComputesInOrder
from ..c import integer_bits, is_identifier
from ..fixed import IntType
from ..ntensor.probes import NodeProbe, ProbedOperation
from .kernels import KernelOp
from .memory import BufferOp, Form, Kind, Storage, buffer_of, inconsistent
from .regions import Memory

KRN002 = Code("KRN002", "kernel-limit-exceeded", "a kernel exceeds a limit of the device")
KRN003 = Code("KRN003", "kernel-feature-missing", "a kernel needs a feature that the device does not have")

PARAMETER_BYTES = 32
"""Bytes of the numbers that a dispatch takes: samples, ticks of the window, first tick, row and ticks; in whole words of 16 bytes."""
PUSHED_BYTES = 20
"""Bytes of the same numbers as push constants, which are not rounded up."""
LIMITS: Mapping[str, tuple[str, str, str]] = {
    "workgroup_size": ("invocations", "invocations of a workgroup along its axis", "workgroup"),
    "workgroup_invocations": ("invocations", "all invocations of a workgroup", "workgroup"),
    "workgroup_count": ("workgroups", "workgroups along an axis of a dispatch", "workgroup"),
    "bindings": ("buffers", "buffers that are bound to a kernel", "planning"),
    "buffer_range": ("byte", "bytes of a buffer", "batch"),
    "shared_bytes": ("byte", "bytes of the memory of a workgroup", "shared"),
    "parameter_bytes": (
        "byte",
        "bytes of the numbers of a dispatch, in a uniform block or arguments",
        "",
    ),
    "push_constant_bytes": ("byte", "bytes of the numbers of a dispatch, as push constants", "parameters"),
}
"""The limits of a device that programs are verified against: unit, meaning, and the preference that keeps a program within it."""
FEATURES: Mapping[str, str] = {
    "int64": "integers of 64 bits",
    "fp64": "reals of 64 bits",
    "int8": "integers of 8 bits in memory",
    "int16": "integers of 16 bits in memory",
}
"""The features of a device that programs can need, and their meanings."""
INT32 = Interval.signed(32)


@irdl_op_definition
class ProgramOp(ProbedOperation):
    """A network as kernels: its buffers, then the kernels of one tick in their order.

    Every name of the source starts with `prefix`. `limits` and `features` are those of the device; an absent limit is unknown. `interleaved`: in
    memory, the same element of all samples is contiguous. `pushed`: the numbers of a dispatch are push constants.

    Units: tick_ns [ns].
    Errors: KRN001 other ops than buffers and kernels, a name that is used twice, or shared memory of two kernels; KRN002 a limit; KRN003 a feature.
    """

    name = "kernels.program"
    sym_name = prop_def(SymbolNameConstraint())
    prefix = prop_def(StringAttr)
    tick_ns = prop_def(IntegerAttr.constr(i64))
    limits = opt_prop_def(DictionaryAttr)
    features = opt_prop_def(base(ListAttr))
    is_interleaved = opt_prop_def(UnitAttr, prop_name="interleaved")
    is_pushed = opt_prop_def(UnitAttr, prop_name="pushed")
    """The numbers of a dispatch are push constants, not a uniform block."""
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), NoTerminator(), ComputesInOrder())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$sym_name attr-dict-with-keyword $body"

    def __init__(
        self,
        name: str,
        prefix: str,
        tick_ns: int,
        body: Region,
    ):
        properties: dict[str, Attribute | None] = {
            "sym_name": StringAttr(name),
            "prefix": StringAttr(prefix),
            "tick_ns": IntegerAttr(tick_ns, i64),
        }
        super().__init__(properties=properties, regions=[body])

    @property
    def buffers(self) -> Iterator[BufferOp]:
        return (op for op in self.body.block.ops if isinstance(op, BufferOp))

    @property
    def kernels(self) -> list[KernelOp]:
        return [op for op in self.body.block.ops if isinstance(op, KernelOp)]

    def of_kind(self, *kinds: Kind) -> list[BufferOp]:
        """Returns the buffers of some kinds, in their order."""
        return [buffer for buffer in self.buffers if buffer.kind.data in kinds]

    def places(self, probe: NodeProbe) -> list[str]:
        return [f"buffer {row.label.data}" for row in self.of_kind(Kind.PROBE) if row.row_name == probe.array]

    def limit(self, name: str) -> int | None:
        """Returns a limit of the device; None if it is unknown."""
        given = None if self.limits is None else self.limits.data.get(name)
        return given.value.data if isinstance(given, IntegerAttr) else None

    def needs(self) -> dict[str, str]:
        """Returns the features that the program needs, each with the first value or buffer that needs it."""
        found: dict[str, str] = {}
        for kernel in self.kernels:
            for op in kernel.walk():
                for result in (*op.results, *(arg for region in op.regions for b in region.blocks for arg in b.args)):
                    if isinstance(result.type, IntType) and not INT32.holds(result.type.interval):
                        found.setdefault("int64", f"{op.name} in {result.type.interval}, in {kernel.label.data}")
                    if isinstance(result.type, Float64Type):
                        found.setdefault("fp64", f"{op.name} of f64, in {kernel.label.data}")
        for buffer in self.buffers:
            element = buffer.element
            if isinstance(element, Float64Type):
                found.setdefault("fp64", f"{buffer.label.data} of f64")
            elif (bits := integer_bits(element)) in (8, 16, 64) and buffer.form is Storage.PLAIN:
                found.setdefault(f"int{bits}", f"{buffer.label.data} of {element}")
        return found

    def verify_(self) -> None:
        seen: set[str] = set()
        for op in self.body.block.ops:
            if not isinstance(op, BufferOp | KernelOp):
                inconsistent(self, "a kernel program has another op", "buffers and kernels", op.name)
            elif op.label.data in seen or not is_identifier(op.label.data):
                inconsistent(self, "two ops have the same name, or a name is not an identifier", "names", op.label.data)
            else:
                seen.add(op.label.data)
        if not is_identifier(self.prefix.data):
            inconsistent(self, "the prefix is not an identifier", "letters, digits, underscores", self.prefix.data)
        self.verify_shared()
        self.verify_features()
        self.verify_limits()

    def verify_shared(self) -> None:
        """Refuses memory of a workgroup that two kernels access: it does not outlive a dispatch. Errors: KRN001."""
        users: dict[SSAValue, KernelOp] = {}
        for kernel in self.kernels:
            for memory in kernel.bindings:
                if buffer_of(memory).kind.data is Kind.SHARED and users.setdefault(memory, kernel) is not kernel:
                    found = f"{buffer_of(memory).label.data} in {users[memory].label.data} and {kernel.label.data}"
                    inconsistent(self, "two kernels share memory of a workgroup", "one kernel", found)

    def verify_features(self) -> None:
        if self.features is None:
            return
        known = {name.data for name in self.features.data if isinstance(name, StringAttr)}
        for name, where in self.needs().items():
            if name not in known:
                meaning = FEATURES[name]
                expected = f"a program without {meaning}: the device has {', '.join(sorted(known)) or 'no feature'}"
                message = f"the device has no {name}: {meaning}"
                invalid(
                    self,
                    KRN003,
                    message,
                    expected=expected,
                    found=where,
                    help=self.remedy(name),
                    path=f"features.{name}",
                )

    def remedy(self, feature: str) -> Phrase:
        """Returns the help for a missing feature."""
        match feature:
            case "fp64":
                return Phrase(Flag("precision=f32", "--precision f32"))
            case "int64":
                return Phrase(OtherDevice())
            case _:
                return preference("storage", "wide")

    def verify_limits(self) -> None:
        memory = Memory(self.buffers)
        for kernel in self.kernels:
            label, size = kernel.label.data, kernel.invocations
            bound = len(memory.bound(list(kernel.bindings)))
            for name, value in (
                ("workgroup_size", size),
                ("workgroup_invocations", size),
                ("workgroup_count", kernel.groups if kernel.form_data is Form.GRID else 1),
                ("bindings", bound),
                ("shared_bytes", sum(region.row_bytes for region in memory.shared(list(kernel.bindings)))),
            ):
                self.verify_limit(name, value, f"kernel {label}")
        for region in memory.regions:
            if region.is_shared:
                continue
            self.verify_limit("buffer_range", region.row_bytes, f"one sample of buffer {region.name}")
        if self.is_pushed is None:
            self.verify_limit("parameter_bytes", PARAMETER_BYTES, "every dispatch")
        else:
            self.verify_limit("push_constant_bytes", PUSHED_BYTES, "every dispatch")

    def verify_limit(self, name: str, value: int, where: str) -> None:
        limit = self.limit(name)
        if limit is None or value <= limit:
            return
        unit, meaning, remedy = LIMITS[name]
        is_planned = any(buffer.offset is not None for buffer in self.buffers)
        choices = {
            "workgroup": ("workgroup", limit),
            "shared": ("shared", "none"),
            "parameters": ("parameters", "uniform"),
            **({} if is_planned else {"planning": ("planning", "true")}),
        }
        help = preference(*choices[remedy]) if remedy in choices else Phrase(OtherDevice())
        message = f"{where} exceeds {name} of the device"
        facts = {"path": f"limits.{name}", "limit": limit, "value": value}
        expected = f"at most {limit} {unit}: {meaning} (limits.{name})"
        invalid(self, KRN002, message, expected=expected, found=f"{value} {unit}", help=help, **facts)

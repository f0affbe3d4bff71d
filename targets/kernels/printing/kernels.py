"""Kernels as functions: their bindings and numbers, the element and sample of an invocation, and the stages."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects import kernels
from ....dialects.kernels import Form, Memory, MemoryRegion
from ....dialects.kernels.kernels import memories_in
from ....dialects.kernels.memory import ARENAS, Kind
from .bodies import TAB, Body
from .expressions import Texts
from .language import FIELDS, LANGUAGES, Language

DISPATCH = "dispatch"


def is_written(region: MemoryRegion) -> bool:
    return region.role not in (ARENAS[Kind.CONSTANT], ARENAS[Kind.INPUT])


def word_type(texts: Texts, region: MemoryRegion) -> str:
    """Returns the type of the words of a region. Errors: KNL006."""
    return texts.type("u32" if region.word.packed > 1 else region.word.name)


def bound_regions(memory: Memory, one: kernels.KernelOp) -> list[MemoryRegion]:
    """Returns the buffers of the device that a kernel binds, in the order of their bindings."""
    return memory.bound(list(one.bindings))


def ordered_memory(memory: Memory, one: kernels.KernelOp) -> str:
    """Returns the memory whose accesses the barriers of a group order: buffers of the device that its ticks write and read, its own memory, or both."""
    accesses = [memories_in(stage) for stage in one.in_phase(kernels.Phase.TICK)]
    written = {key for stage in accesses for key, is_written in stage.items() if is_written}
    device = any(not memory.of(key)[0].is_shared for key in written & loaded_in(one))
    shared = any(memory.of(key)[0].is_shared for key in one.bindings)
    return "both" if device and shared else "shared" if shared else "device"


def loaded_in(one: kernels.KernelOp) -> set[SSAValue]:
    """Returns the buffers that the ticks of a kernel read."""
    return {
        op.memory for stage in one.in_phase(kernels.Phase.TICK) for op in stage.walk() if isinstance(op, kernels.LoadOp)
    }


def entry_name(program: kernels.ProgramOp, one: kernels.KernelOp) -> str:
    return f"{program.prefix.data}_{one.label.data}"


class KernelPrinter:
    """Printer of the kernels of a program in one language."""

    def __init__(self, program: kernels.ProgramOp, language: Language):
        self.program, self.language = program, language
        self.texts, self.memory = Texts(language), Memory(program.buffers)
        if program.is_pushed is not None and not language.has_push_constants:
            self.texts.refuse("push constants")

    def function(self, one: kernels.KernelOp) -> str:
        """Returns the function of a kernel, with the declarations that belong to it. Errors: KNL006."""
        regions, shared = bound_regions(self.memory, one), self.shared_declarations(one)
        name, size = entry_name(self.program, one), one.invocations
        match self.language:
            case Language(slug="glsl"):
                head = self.glsl_head(regions, size)
            case Language(slug="wgsl"):
                head = self.wgsl_head(regions, name, size)
            case Language(slug="metal"):
                head = self.metal_head(regions, name)
            case Language(slug="cuda"):
                head = self.c_head(
                    regions, f'extern "C" __global__ void __launch_bounds__({size}) {name}', "", "__restrict__ "
                )
            case _:
                first = f"__kernel __attribute__((reqd_work_group_size({size}, 1, 1)))\nvoid {name}"
                head = self.c_head(regions, first, "__global ", "restrict ")
        if self.language.is_shared_global:
            return "\n".join([*self.extensions(), *shared, head, *self.body(one, regions), "}", ""])
        return "\n".join([head, *(TAB + line for line in shared), *self.body(one, regions), "}", ""])

    def shared_declarations(self, one: kernels.KernelOp) -> list[str]:
        """Returns the declarations of the memory of a workgroup."""
        return [
            self.language.shared.format(type=word_type(self.texts, region), name=region.name, length=region.length)
            for region in self.memory.shared(list(one.bindings))
        ]

    # ---- heads

    def c_head(self, regions: list[MemoryRegion], first: str, space: str, restrict: str) -> str:
        arguments = [
            f"{space}{'' if is_written(r) else 'const '}{word_type(self.texts, r)} *{restrict}{r.name}" for r in regions
        ]
        arguments += [f"const {self.texts.type('u32')} {name}" for name in FIELDS]
        return f"{first}(\n{TAB}{f',{chr(10)}{TAB}'.join(arguments)}) {{"

    def metal_head(self, regions: list[MemoryRegion], name: str) -> str:
        arguments = [
            f"device {'' if is_written(r) else 'const '}{word_type(self.texts, r)} *{r.name} [[buffer({k})]]"
            for k, r in enumerate(regions)
        ]
        arguments += [
            f"constant Dispatch &{DISPATCH} [[buffer({len(regions)})]]",
            "uint3 position [[thread_position_in_grid]]",
            "uint3 lane [[thread_position_in_threadgroup]]",
            "uint3 group [[threadgroup_position_in_grid]]",
        ]
        return f"kernel void {name}(\n{TAB}{f',{chr(10)}{TAB}'.join(arguments)}) {{"

    def extensions(self) -> list[str]:
        """Returns the extensions of the language that the program needs; they precede every declaration."""
        has_words = self.language.slug != "glsl" or "int64" not in self.program.needs()
        return [] if has_words else ["#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require"]

    def glsl_head(self, regions: list[MemoryRegion], size: int) -> str:
        lines = [f"layout(local_size_x = {size}) in;"]
        for k, region in enumerate(regions):
            access = "buffer" if is_written(region) else "readonly buffer"
            type = word_type(self.texts, region)
            lines.append(f"layout(std430, set = 0, binding = {k}) {access} Binding{k} {{ {type} {region.name}[]; }};")
        fields = " ".join(f"uint {name};" for name in FIELDS)
        place = f"std140, set = 0, binding = {len(regions)}" if self.program.is_pushed is None else "push_constant"
        lines.append(f"layout({place}) uniform Dispatch {{ {fields} }} {DISPATCH};")
        return "\n".join([*lines, "", "void main() {"])

    def wgsl_head(self, regions: list[MemoryRegion], name: str, size: int) -> str:
        lines: list[str] = []
        for k, region in enumerate(regions):
            access = "read_write" if is_written(region) else "read"
            lines.append(
                f"@group(0) @binding({k}) var<storage, {access}> {region.name}: array<{word_type(self.texts, region)}>;"
            )
        lines.append(f"@group(0) @binding({len(regions)}) var<uniform> {DISPATCH}: Dispatch;")
        builtins = ("global_invocation_id) position", "local_invocation_id) lane", "workgroup_id) group")
        arguments = ", ".join(f"@builtin({text}: vec3<u32>" for text in builtins)
        return "\n".join([*lines, "", f"@compute @workgroup_size({size})", f"fn {name}({arguments}) {{"])

    # ---- bodies

    def declared(self, name: str, x: str) -> str:
        return self.language.constant.format(type=self.texts.type("u32"), name=name, x=x)

    def number(self, name: str) -> str:
        return self.language.parameter.format(name=name)

    def rows(self, regions: list[MemoryRegion], *roles: str) -> list[str]:
        """Returns the declarations of the first elements of the rows of the invocation."""
        lines: list[str] = []
        for region in regions:
            if region.role not in roles:
                continue
            length = self.texts.unsigned(region.length)
            if region.role == ARENAS[Kind.STATE]:
                if not self.program.is_interleaved:
                    lines.append(self.declared(f"{region.name}_row", f"unit * {length}"))
                continue
            row = f"(unit * {self.number('window')} + {self.number('row')} + step) * {length}"
            lines.append(self.declared(f"{region.name}_row", row))
        return lines

    def body(self, one: kernels.KernelOp, regions: list[MemoryRegion]) -> list[str]:
        is_group = one.form_data is Form.GROUP
        lines = [TAB + self.declared("unit", self.language.group)]
        memory = [TAB + line for line in self.rows(regions, ARENAS[Kind.STATE])]
        depth = 2 if is_group else 1
        tick = [
            self.declared("tick", f"{self.number('start')} + {self.number('row')} + step"),
            *self.rows(regions, ARENAS[Kind.INPUT], ARENAS[Kind.OUTPUT]),
        ]
        if not is_group:
            (stage,) = one.stages
            lines.append(TAB + self.declared("element", self.language.element))
            condition = f"element < {self.texts.unsigned(stage.elements)} && unit < {self.number('samples')}"
            inner = [self.declared("step", self.texts.unsigned(0)), *tick]
            lines += [f"{TAB}if ({condition}) {{"]
            lines += [TAB * 2 + line for line in (*(line.strip() for line in memory), *inner)]
            return [*lines, *self.stage(stage, "element", 2), f"{TAB}}}"]
        lines.append(TAB + self.declared("lane_id", self.language.lane))
        lines += memory
        barrier, count = self.language.barrier[ordered_memory(self.memory, one)], 0
        for phase in kernels.Phase:
            inner = depth - 1 if phase is not kernels.Phase.TICK else depth
            if phase is kernels.Phase.TICK:
                head = self.language.loop.format(
                    uint=self.texts.type("u32"),
                    name="step",
                    low=self.texts.unsigned(0),
                    high=self.number("steps"),
                    step="1u",
                )
                lines += [f"{TAB}{head} {{", *(TAB * depth + line for line in tick)]
            stages = one.in_phase(phase)
            for k, stage in enumerate(stages):
                lines += self.shared_stage(stage, count, one.invocations, inner)
                count += 1
                if phase is kernels.Phase.TICK or (phase is kernels.Phase.ENTER and k == len(stages) - 1):
                    lines.append(f"{TAB * inner}{barrier}")
            if phase is kernels.Phase.TICK:
                lines.append(f"{TAB}}}")
        return lines

    def shared_stage(self, stage: kernels.StageOp, k: int, size: int, depth: int) -> list[str]:
        """Returns the loop of a workgroup over the elements of a stage; without a loop if there is one for each invocation, or fewer."""
        uint, elements = self.texts.type("u32"), stage.elements
        if elements <= size:
            head = f"if (lane_id < {self.texts.unsigned(elements)})"
            return [f"{TAB * depth}{head} {{", *self.stage(stage, "lane_id", depth + 1), f"{TAB * depth}}}"]
        name, high = f"e{k}", self.texts.unsigned(elements)
        move = self.texts.unsigned(size)
        loop = self.language.loop.format(uint=uint, name=name, low="lane_id", high=high, step=move)
        return [f"{TAB * depth}{loop} {{", *self.stage(stage, name, depth + 1), f"{TAB * depth}}}"]

    def stage(self, stage: kernels.StageOp, element: str, depth: int) -> list[str]:
        body = Body(self.texts, self.memory, is_interleaved=self.program.is_interleaved is not None, depth=depth)
        block = stage.body.block
        body.names[block.args[0]] = element
        body.run(block)
        return body.lines


def sources(program: kernels.ProgramOp, slug: str) -> dict[str, str]:
    """Returns the files of a program by name. Errors: KNL006 the language lacks a type, an op or a number."""
    language = LANGUAGES[slug]
    printer = KernelPrinter(program, language)
    remark = language.comment.format(x=f"{program.sym_name.data}: kernels of one tick. Made by nopt; do not edit.")
    head = [line for line in (language.head, language.parameters) if line]
    opening = [head[0], remark, *head[1:]] if slug == "glsl" else [remark, *head]
    texts = {entry_name(program, one): printer.function(one) for one in program.kernels}
    if language.per_kernel:
        return {f"{name}{language.suffix}": "\n".join([*opening, "", text]) for name, text in texts.items()}
    return {f"{program.prefix.data}{language.suffix}": "\n".join([*opening, "", "\n".join(texts.values())])}

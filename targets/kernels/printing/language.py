"""Tables of the differences between the languages of kernels; all share one printer.

Templates are texts with fields in braces: `{type}`, `{name}` and `{x}` of a declaration, `{c}`, `{a}` and `{b}` of a choice.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class Language:
    """Syntax and types of a language. Fields without a default differ between all of them."""

    slug: str
    suffix: str
    """Of its files."""
    per_kernel: bool
    """Whether each kernel has its own file."""
    types: Mapping[str, str]
    """Names of types by ours: `i32`, `u32`, `f32`, `bool`, and those that only some languages have."""
    cast: str
    constant: str
    """Declaration of a value."""
    variable: str
    """Declaration of a variable."""
    loop: str
    choice: str
    literals: Mapping[str, str]
    """Suffixes of numbers by type."""
    functions: Mapping[str, str]
    """Expressions of functions of reals by the name in C, in `{a}` and `{b}`."""
    infinity: Mapping[str, str]
    not_a_number: Mapping[str, str]
    barrier: Mapping[str, str]
    """Barriers of a workgroup that order the accesses to buffers of the device, `device`, to its own memory, `shared`, or to `both`."""
    shared: str
    """Declaration of memory of a workgroup."""
    parameter: str
    """Access to a number of the dispatch."""
    group: str
    """The workgroup of the invocation along the axis of samples."""
    lane: str
    """The invocation in its workgroup."""
    element: str
    """The invocation in the grid."""
    head: str = ""
    """First lines of a file."""
    parameters: str = ""
    """Lines before the first kernel of a file: the numbers of a dispatch."""
    precise: str = ""
    """Qualifier of reals that are not contracted."""
    comment: str = "// {x}"
    has_push_constants: bool = False
    is_shared_global: bool = False
    """Whether memory of a workgroup is declared outside of the function."""


C_TYPES = {
    "bool": "bool",
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned int",
    "i64": "long long",
    "u64": "unsigned long long",
    "f32": "float",
    "f64": "double",
}
C_FUNCTIONS = {name: f"{name}({{a}})" for name in ("fabs", "exp", "log", "sqrt", "floor", "ceil", "trunc", "rint")} | {
    "copysign": "copysign({a}, {b})"
}
C_LIKE = {
    "constant": "const {type} {name} = {x};",
    "variable": "{type} {name} = {x};",
    "loop": "for ({uint} {name} = {low}; {name} < {high}; {name} += {step})",
    "choice": "({c} ? {a} : {b})",
}
SHADER_FUNCTIONS = {
    "fabs": "abs({a})",
    **{name: f"{name}({{a}})" for name in ("exp", "log", "sqrt", "floor", "ceil", "trunc")},
}
FIELDS = ("samples", "window", "start", "row", "steps")
"""Numbers of a dispatch: samples, ticks in the rows of signals, the tick of the first row, the first row of the dispatch, its ticks."""

OPENCL = Language(
    slug="opencl",
    suffix=".cl",
    per_kernel=False,
    types=C_TYPES | {"i8": "char", "u8": "uchar", "u16": "ushort", "u32": "uint", "i64": "long", "u64": "ulong"},
    cast="({type})({x})",
    literals={"u32": "u", "i64": "L", "u64": "UL", "f32": "f", "f64": ""},
    functions=C_FUNCTIONS,
    infinity={"f32": "INFINITY", "f64": "(double)INFINITY"},
    not_a_number={"f32": "NAN", "f64": "(double)NAN"},
    barrier={
        "device": "barrier(CLK_GLOBAL_MEM_FENCE);",
        "shared": "barrier(CLK_LOCAL_MEM_FENCE);",
        "both": "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    },
    shared="__local {type} {name}[{length}];",
    parameter="{name}",
    group="(uint)get_group_id(1)",
    lane="(uint)get_local_id(0)",
    element="(uint)get_global_id(0)",
    head="#pragma OPENCL FP_CONTRACT OFF",
    **C_LIKE,
)
CUDA = Language(
    slug="cuda",
    suffix=".cu",
    per_kernel=False,
    types=C_TYPES,
    cast="({type})({x})",
    literals={"u32": "u", "i64": "LL", "u64": "ULL", "f32": "f", "f64": ""},
    functions=C_FUNCTIONS,
    infinity={"f32": "__int_as_float(0x7f800000)", "f64": "(double)__int_as_float(0x7f800000)"},
    not_a_number={"f32": "__int_as_float(0x7fc00000)", "f64": "(double)__int_as_float(0x7fc00000)"},
    barrier=dict.fromkeys(("device", "shared", "both"), "__syncthreads();"),
    shared="__shared__ {type} {name}[{length}];",
    parameter="{name}",
    group="blockIdx.y",
    lane="threadIdx.x",
    element="blockIdx.x * blockDim.x + threadIdx.x",
    head="#if defined(__HIPCC__)\n#include <hip/hip_runtime.h>\n#endif",
    **C_LIKE,
)
METAL = Language(
    slug="metal",
    suffix=".metal",
    per_kernel=False,
    types=C_TYPES | {"i8": "char", "u8": "uchar", "u16": "ushort", "u32": "uint", "i64": "long", "u64": "ulong"},
    cast="{type}({x})",
    literals={"u32": "u", "i64": "L", "u64": "UL", "f32": "f", "f64": ""},
    functions=C_FUNCTIONS,
    infinity={"f32": "INFINITY"},
    not_a_number={"f32": "NAN"},
    barrier={
        "device": "threadgroup_barrier(mem_flags::mem_device);",
        "shared": "threadgroup_barrier(mem_flags::mem_threadgroup);",
        "both": "threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);",
    },
    shared="threadgroup {type} {name}[{length}];",
    parameter="dispatch.{name}",
    group="group.y",
    lane="lane.x",
    element="position.x",
    head="#include <metal_stdlib>\n#pragma METAL fp math_mode(safe)\n#pragma METAL fp contract(off)\nusing namespace metal;",
    parameters=f"struct Dispatch {{\n{''.join(f'    uint {name};{chr(10)}' for name in FIELDS)}}};",
    **C_LIKE,
)
GLSL = Language(
    slug="glsl",
    suffix=".comp",
    per_kernel=True,
    types={
        "bool": "bool",
        "i32": "int",
        "u32": "uint",
        "i64": "int64_t",
        "u64": "uint64_t",
        "f32": "float",
        "f64": "double",
    },
    cast="{type}({x})",
    literals={"u32": "u", "i64": "L", "u64": "UL", "f32": "f", "f64": "lf"},
    functions=SHADER_FUNCTIONS
    | {
        "rint": "roundEven({a})",
        "copysign": "uintBitsToFloat((floatBitsToUint({a}) & 0x7fffffffu) | (floatBitsToUint({b}) & 0x80000000u))",
    },
    infinity={"f32": "uintBitsToFloat(0x7f800000u)"},
    not_a_number={"f32": "uintBitsToFloat(0x7fc00000u)"},
    barrier={
        "device": "BARRIER",
        "shared": "barrier();",
        "both": "BARRIER",
    },
    shared="shared {type} {name}[{length}];",
    is_shared_global=True,
    parameter="dispatch.{name}",
    group="gl_WorkGroupID.y",
    lane="gl_LocalInvocationID.x",
    element="gl_GlobalInvocationID.x",
    head="#version 450",
    parameters="#ifdef VULKAN\n#define PRECISE precise\n#define BARRIER memoryBarrierBuffer(); barrier();\n#else\n"
    "#define PRECISE\n#define BARRIER barrier();\n#endif",
    precise="PRECISE ",
    has_push_constants=True,
    **C_LIKE,
)
WGSL = Language(
    slug="wgsl",
    suffix=".wgsl",
    per_kernel=True,
    types={"bool": "bool", "i32": "i32", "u32": "u32", "i64": "i64", "u64": "u64", "f32": "f32", "f64": "f64"},
    cast="{type}({x})",
    constant="let {name}: {type} = {x};",
    variable="var {name}: {type} = {x};",
    loop="for (var {name}: u32 = {low}; {name} < {high}; {name} += {step})",
    choice="select({b}, {a}, {c})",
    literals={"u32": "u", "i64": "li", "u64": "lu", "f32": "f", "f64": "lf"},
    functions=SHADER_FUNCTIONS
    | {
        "rint": "round({a})",
        "copysign": "bitcast<f32>((bitcast<u32>({a}) & 0x7fffffffu) | (bitcast<u32>({b}) & 0x80000000u))",
    },
    infinity={},
    not_a_number={},
    barrier={
        "device": "storageBarrier();",
        "shared": "workgroupBarrier();",
        "both": "storageBarrier(); workgroupBarrier();",
    },
    shared="var<workgroup> {name}: array<{type}, {length}>;",
    is_shared_global=True,
    parameter="dispatch.{name}",
    group="group.y",
    lane="lane.x",
    element="position.x",
    parameters=f"struct Dispatch {{\n{''.join(f'    {name}: u32,{chr(10)}' for name in FIELDS)}}}",
)
LANGUAGES: Mapping[str, Language] = {one.slug: one for one in (GLSL, WGSL, OPENCL, CUDA, METAL)}

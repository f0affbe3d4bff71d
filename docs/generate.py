"""Generator of the generated parts of docs/; with `--check` it lists the stale ones.

| what | from |
| --- | --- |
| `codes.md` | every `ABC001 = Code(` of the tree and its section in `codes/ABC.md` of the room |
| `reference/passes.md` | the passes with their options and docstrings |
| `reference/dialects/<name>.md` | the ops, types and attributes of each dialect |
| between `<!-- presets -->` and `<!-- /presets -->` on any page | the preset files: their comments, switches and equations |
| between `<!-- preset-table -->` and `<!-- /preset-table -->` | the same files, one line each |
| `reference/config.schema.json` | the keys of configuration files |
| `reference/<record>.schema.json`, and between `<!-- record-formats -->` and `<!-- /record-formats -->` | the classes of records, and the records of device files |
| between `<!-- exporter-table -->` and `<!-- /exporter-table -->` | the files of exporters: versions, formulas, omitted parameters |
| between `<!-- mapping-fields -->` and `<!-- /mapping-fields -->` | the records of `mapping.json` |
| between `<!-- device-fields -->` and `<!-- /device-fields -->` | the same records, a table for each section |
| between `<!-- device-quantities -->` and `<!-- /device-quantities -->` | the quantities of networks in contracts |
| between `<!-- chip-learning -->` and `<!-- /chip-learning -->` | the learning rules of devices, and the chips of each shipped rule (`learning_tables.py`) |
| between `<!-- device-matrix -->` and `<!-- /device-matrix -->` | the capabilities of the devices of all targets |
| between `<!-- capability-matrix -->` and `<!-- /capability-matrix -->` | the capabilities of all devices, with their states and proofs |
| `reference/op-support.json`, and between `<!-- op-support -->` and `<!-- /op-support -->` | the ops that one device of each target runs; remove the record after a change of passes |
| `reference/feature-choices.json`, and between `<!-- feature-choices -->` and `<!-- /feature-choices -->` | the devices that serve each feature of networks; remove the record after a change of passes |
| between `<!-- network-fits -->` and `<!-- /network-fits -->` | `reference/network-fits.json`, which `make fits` writes |
| between `<!-- rounding -->` and `<!-- /rounding -->` | `reference/rounding.json`, which `make rounding` writes |
| between `<!-- readiness -->` and `<!-- /readiness -->` | the number of cells in each state, and the ranking of the devices |
| between `<!-- target-… -->` and `<!-- /target-… -->` on `targets/<target>.md` | devices, limits, passes, repairs, ops and codes of the target (`target_parts.py`) |
| the block that follows `<!-- ir: lit-tests/docs/X.mlir -->` | that file, without its RUN and CHECK lines |
| the block that follows `<!-- ir: nopt … -->` | the output of the command |
| the block that follows `<!-- ir: short nopt … -->` | its network alone, long dictionaries as `{…}` |

The output is deterministic: two runs write the same bytes. It names no path outside of the tree.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from shlex import split
from typing import Any

from learning_tables import chip_learning
from tables import (
    DOCS,
    FEATURE_CHOICES,
    GENERATED,
    OP_SUPPORT,
    ROOT,
    capability_matrix,
    device_fields,
    device_matrix,
    device_quantities,
    exporter_table,
    feature_choices_table,
    feature_record,
    network_fits_table,
    op_record,
    op_support_table,
    page,
    preset_table,
    presets_part,
    readiness_tables,
    record_text,
    rounding_table,
    shown,
    table,
)
from target_parts import TARGET_PARTS, codes_table
from xdsl.dialects.builtin import ArrayOfConstraint, StringAttr, SymbolNameConstraint, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptOperandDef,
    OptPropertyDef,
    OptResultDef,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    VarConstraint,
    VarOperandDef,
    VarResultDef,
)

from nopt.api.catalogue.record_formats import record_formats
from nopt.api.compiling.mappings.mapping_schema import mapping_fields
from nopt.api.configuration_files import configuration_schema
from nopt.core import registry
from nopt.core.diagnostics import Code
from nopt.core.explanations import explanations
from nopt.core.ir.pipeline import NoptPass, options

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
DECLARATION = re.compile(r"^([A-Z]{3}\d{3}) = Code\(", re.MULTILINE)


# ---- text


def paragraphs(doc: str | None) -> str:
    """Converts a docstring to Markdown: an indented list `name: text` under a line that ends with a colon becomes a list."""
    lines: list[str] = []
    is_list = False
    for line in inspect.cleandoc(doc or "").split("\n"):
        if entry := re.match(r" {4}(\S[^:]*):\s+(.*)", line) if is_list else None:
            lines.append(f"- {entry[1]}: {entry[2]}")
            continue
        if is_list and line.startswith("     ") and lines[-1].startswith("- "):
            lines[-1] += f" {line.strip()}"
            continue
        is_list = bool(re.fullmatch(r"[A-Z]\w*:", line))
        lines += [line, ""] if is_list else [line]
    return "\n".join(lines).strip()


def linked(text: str, up: str) -> str:
    """Replaces codes in running text by links to their entries."""

    def link(match: re.Match[str]) -> str:
        return f"[{match[1]}]({up}codes.md#{match[1].lower()})"

    lines = text.split("\n")
    return "\n".join(line if line.startswith("    ") else re.sub(r"\b([A-Z]{3}\d{3})\b", link, line) for line in lines)


# ---- codes


def codes() -> Iterator[tuple[Code, Path]]:
    """Yields every code with the file that declares it, sorted by name."""
    found: dict[str, tuple[Code, Path]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            names = DECLARATION.findall(path.read_text(encoding="utf-8"))
            if names:
                module = import_module(".".join(["nopt", *path.relative_to(ROOT).with_suffix("").parts]))
                found.update({name: (getattr(module, name), path) for name in names})
    for name in sorted(found):
        yield found[name]


def codes_page() -> str:
    listed = list(codes())
    index = table(
        ("code", "name", "what is wrong", "declared in"),
        [(f"[{code}](#{code.id.lower()})", code.name, code.summary, f"`{shown(path)}`") for code, path in listed],
    )
    entries = [
        page(
            f"## {code}",
            f"`{code.name}`: **{code.summary}** (exit code {int(code.exit_code)})",
            explanations(code.id[:3])[code.id].cause,
            f"What to do: {explanations(code.id[:3])[code.id].remedy}",
        )
        for code, _ in listed
    ]
    return page(
        GENERATED,
        "# Codes",
        "Every refusal, warning and remark of nopt has a code that never changes its meaning. `nopt explain CODE` prints the same "
        "on a terminal. Exit code 1: the input is refused; 2: the command is misused; 3: a defect of nopt; 4: the time budget ended "
        "([exit codes](configuration.md#exit-codes-and-time-budgets)). Remarks and warnings change no exit code.",
        index,
        *entries,
    )


# ---- passes


def passes_page() -> str:
    parts = [
        GENERATED,
        "# Passes",
        "`nopt FILE -p 'a,b{x=1 y=z}'` runs passes in order; `nopt passes NAME` prints one of these entries. The passes of xDSL "
        "can be named in the same way and are not listed here.",
    ]
    for name, factory in registry.passes().items():
        step = factory()
        module = inspect.getmodule(step)
        assert module is not None
        path = Path(inspect.getfile(step)).resolve()
        about = [inspect.getdoc(module) or ""]
        if step.__doc__ and step.__doc__ != NoptPass.__doc__ and not step.__doc__.startswith(f"{step.__name__}("):
            about.append(step.__doc__)
        rows = [(f"`{option}`", f"`{kind}`", f"`{default}`") for option, kind, default in options(step)]
        parts += [
            f"## {name}",
            f"Declared in [`{shown(path)}`](../../{shown(path)}).",
            *map(paragraphs, about),
            table(("option", "kind", "default"), rows),
        ]
    return linked(page(*parts), "../")


# ---- dialects


def kind(constraint: Any) -> str:
    """Describes the values that an IRDL constraint accepts."""
    match constraint:
        case AnyAttr():
            return "anything"
        case SymbolNameConstraint():
            return "symbol name"
        case BaseAttr(attr=cls):
            return class_name(cls)
        case EqAttrConstraint(attr=attr):
            return f"`{attr}`"
        case AnyOf(attr_constrs=several):
            return " or ".join(map(kind, several))
        case VarConstraint(name=name, constraint=inner):
            return f"{kind(inner)}, the same wherever it says {name}"
        case RangeOf(constr=inner) | RangeLengthConstraint(constraint=RangeOf(constr=inner)):
            return kind(inner)
        case ArrayOfConstraint(elem_range_constraint=inner):
            return f"list of {kind(inner)}"
        case ParamAttrConstraint(base_attr=cls, param_constrs=params) if cls.name == "integer":
            return f"integer of type {kind(params[1])}"
        case ParamAttrConstraint(base_attr=cls):
            return class_name(cls)
        case MessageConstraint(constr=inner):
            return kind(inner)
        case _:
            return type(constraint).__name__


def class_name(cls: type[Attribute]) -> str:
    names = {StringAttr.name: "text", TensorType.name: "tensor", "symbol_ref": "symbol", "integer_type": "integer type"}
    if not cls.__module__.startswith("nopt."):
        return names.get(cls.name, cls.name)
    mark = "!" if issubclass(cls, TypeAttribute) else "#"
    return f"`{mark}{cls.name}`"


def field_rows(op: type[IRDLOperation]) -> Iterator[tuple[str, str, str]]:
    """Yields name, role and kind of the operands, properties and results of an op."""
    definition = op.get_irdl_definition()
    for role, fields in (("operand", definition.operands), ("result", definition.results)):
        for name, field in fields:
            several = isinstance(field, VarOperandDef | VarResultDef)
            optional = isinstance(field, OptOperandDef | OptResultDef)
            more = ", any number" if several else ", optional" if optional else ""
            yield f"`{name}`", role + more, kind(field.constr)
    for name, field in definition.properties.items():
        more = ", optional" if isinstance(field, OptPropertyDef) else ""
        yield f"`{name}`", f"property{more}", kind(field.constr)
    for name, _ in definition.regions:
        yield f"`{name}`", "region", "one block"


def bases(op: type[IRDLOperation]) -> list[type]:
    """Returns the documented base classes of an op, the nearest first."""
    return [
        cls
        for cls in op.__mro__[1:]
        if cls.__module__.startswith("nopt.dialects") and "__doc__" in vars(cls) and cls.__doc__
    ]


def parameters(attribute: type[Attribute]) -> str:
    if not issubclass(attribute, ParametrizedAttribute):
        return ""
    rows = [(f"`{name}`", kind(field.constr)) for name, field in attribute.get_irdl_definition().parameters]
    return table(("parameter", "kind"), rows)


def dialect_page(name: str) -> str:
    dialect = registry.dialects()[name]()
    module = import_module(f"nopt.dialects.{name}")
    operations = [op for op in dialect.operations if issubclass(op, IRDLOperation)]
    attributes = list(dialect.attributes)
    shared = dict.fromkeys(cls for op in operations for cls in bases(op))
    parts = [
        GENERATED,
        f"# Dialect `{name}`",
        f"Declared in [`dialects/{name}/`](../../../dialects/{name}).",
        paragraphs(module.__doc__),
    ]
    if shared:
        parts.append("## What ops share")
        parts += [f"**{cls.__name__}.** {paragraphs(cls.__doc__)}" for cls in shared]
    if operations:
        parts.append("## Ops")
    for op in operations:
        format = op.get_irdl_definition().assembly_format
        shares = ", ".join(cls.__name__ for cls in bases(op))
        parts += [
            f"### {op.name}",
            paragraphs(op.__doc__) if "__doc__" in vars(op) and op.__doc__ else "",
            f"Shares what is said about {shares}." if shares else "",
            f"```\n{op.name} {format}\n```" if format else "",
            table(("name", "what", "kind"), list(field_rows(op))),
        ]
    if attributes:
        parts.append("## Types and attributes")
    for attribute in attributes:
        text = attribute.__doc__ or ""
        is_own = "__doc__" in vars(attribute) and not text.startswith(f"{attribute.__name__}(")
        parts += [
            f"### {class_name(attribute).strip('`')}",
            paragraphs(text) if is_own else "",
            parameters(attribute),
        ]
    return linked(page(*parts), "../../")


# ---- parts of pages


def record_table() -> str:
    """Returns the table of the records that have a JSON Schema."""
    rows = [f"| [`{one.name}`](reference/{one.file}) | {one.written_by} |" for one in record_formats()]
    return "\n".join(["| record | written by |", "| --- | --- |", *rows])


PARTS: Mapping[str, Callable[[], str]] = {
    "device-fields": device_fields,
    "mapping-fields": mapping_fields,
    "record-formats": record_table,
    "op-support": op_support_table,
    "feature-choices": feature_choices_table,
    "capability-matrix": capability_matrix,
    "device-matrix": device_matrix,
    "network-fits": network_fits_table,
    "rounding": rounding_table,
    "readiness": readiness_tables,
    "device-quantities": device_quantities,
    "exporter-table": exporter_table,
    "chip-learning": chip_learning,
    "presets": presets_part,
    "preset-table": preset_table,
}
MARKED = re.compile(r"(<!-- (?P<part>[a-z-]+) -->\n).*?\n?(<!-- /(?P=part) -->)", re.DOTALL)
IR = re.compile(r"(<!-- ir: (?P<source>.+?) -->\n```\w*\n)(?P<text>.*?)(```)", re.DOTALL)
LONGEST = 60
"""Maximal length of a text in braces in a short form."""
TEST_LINE = re.compile(r"\s*// (RUN|CHECK|REQUIRES|[A-Z]+(-[A-Z]+)?(\{LITERAL\})?:).*")


def ir_of(source: str) -> str:
    """Returns the text of a golden or its input, or the output of a command."""
    is_short = source.startswith("short ")
    source = source.removeprefix("short ")
    if not source.startswith("nopt "):
        text = (ROOT / source).read_text(encoding="utf-8")
        kept = [line for line in text.split("\n") if not TEST_LINE.fullmatch(line) and not line.startswith("// ")]
        return "\n".join(kept).strip() + "\n"
    from nopt.tools.main import main

    output, errors = StringIO(), StringIO()
    with chdir(ROOT), redirect_stdout(output), redirect_stderr(errors):
        code = main(split(source)[1:])
    if code:
        raise SystemExit(f"{source}\n{errors.getvalue()}")
    return shortened(output.getvalue()) if is_short else output.getvalue()


def shortened(text: str) -> str:
    """Returns the network of a module without indentation, and with long braces on one line elided."""
    lines = text.split("\n")
    start = next(k for k, line in enumerate(lines) if re.match(r"  (ntensor\.network|nir\.graph) ", line))
    stop = lines.index("  }", start)
    return "\n".join(elided(line[2:]) for line in lines[start : stop + 1]) + "\n"


def elided(line: str) -> str:
    """Returns a line with its outermost long `{ }` as `{…}`; a brace that opens a region stays."""
    depth, opened, parts, done = 0, 0, [], 0
    for k, character in enumerate(line):
        if character == "{":
            opened = opened if depth else k
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if not depth and k - opened > LONGEST:
                parts.append(f"{line[done:opened]}{{…}}")
                done = k + 1
    return "".join(parts) + line[done:]


def filled(text: str, name: str) -> str:
    """Returns a page with its generated parts updated; `name` is that of the file, and of the target on the page of a target."""

    def made(part: str) -> str | None:
        if part == "target-codes":
            return codes_table(name, codes())
        if (of_target := TARGET_PARTS.get(part)) is not None:
            return of_target(name)
        return None if (make := PARTS.get(part)) is None else make()

    def part(match: re.Match[str]) -> str:
        text = made(match["part"])
        return match[0] if text is None else f"{match[1]}\n{text.strip()}\n\n{match[3]}"

    return IR.sub(lambda match: match[1] + ir_of(match["source"]) + match[4], MARKED.sub(part, text))


# ---- all of it


def pages() -> Iterator[tuple[Path, str]]:
    """Yields every page that is generated, whole or in part, with its expected content."""
    yield DOCS / "codes.md", codes_page()
    yield DOCS / "reference" / "passes.md", passes_page()
    for name in registry.dialects():
        yield DOCS / "reference" / "dialects" / f"{name}.md", dialect_page(name)
    yield DOCS / "reference" / "config.schema.json", json.dumps(configuration_schema(), indent=2) + "\n"
    for one in record_formats():
        yield DOCS / "reference" / one.file, json.dumps(one.schema(), indent=2) + "\n"
    yield FEATURE_CHOICES, record_text(feature_record())
    yield OP_SUPPORT, record_text(op_record())
    for path in sorted([ROOT / "README.md", *ROOT.glob("examples/*.md"), *DOCS.rglob("*.md")]):
        if path.is_file() and GENERATED.strip() not in (text := path.read_text(encoding="utf-8")):
            yield path, filled(text, path.stem)


def orphans(written: set[Path]) -> list[Path]:
    """Returns generated pages of removed objects."""
    return [
        path for room in ("reference", "targets") for path in sorted((DOCS / room).rglob("*.md")) if path not in written
    ]


def main(arguments: Sequence[str]) -> int:
    is_check = list(arguments) == ["--check"]
    if arguments and not is_check:
        print("usage: python docs/generate.py [--check]", file=sys.stderr)
        return 2
    stale: list[str] = []
    written: set[Path] = set()
    for path, text in pages():
        written.add(path)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(shown(path))
        if not is_check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in orphans(written):
        stale.append(shown(path))
        if not is_check:
            path.unlink()
    if stale:
        print(f"{'stale' if is_check else 'written'}: {', '.join(stale)}")
    return int(is_check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Structure of the tree: locations of files, imports between rooms, documentation and tests.

| rule | correction if its test fails |
| --- | --- |
| a module of passes, ops or attributes has a golden at its own path, and one of the refusals whose codes it declares | write `lit-tests/<room>/…/<stem>.mlir` and `<stem>-errors.mlir` |
| every code is declared once, documented and tested | rename it; `make docs`; a golden that CHECKs `[CODE]` |
| filecheck supports every CHECK of a golden | correct the spelling |
| every registered object loads under its own name | make file, class and name agree |
| an analysis imports core and dialects alone | move the required code there |
| a folder holds 15 modules at most | divide it by subject |
| no imports in a circle | move what both need into a module of its own |
| shared rooms name no chip | read the device description, never a target's name |
| verbs, core and analyses name no pass, level or target | take it from a target's record or from `passes/pipelines.py` |
| a chip's model does not import the reference | run the exit dialect's own ops |
| `nopt --version` starts without heavy packages | import them inside of functions |
| no file contains a path of one machine | use a path relative to the tree, or `SHARED` |
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
from places import GOLDENS, ROOT, TESTS

from nopt.core import registry
from nopt.core.explanations import read_explanations

ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
ROOMS_WITHOUT_CHIPS = ("core", "frontends", "analysis", "passes", "api", "tools")
NO_CHIPS = frozenset(["reference", "c"])
HEAVY = ("h5py", "scipy", "nir")
DECLARATION = re.compile(r"^([A-Z]{3}\d{3}) = Code\(", re.MULTILINE)


def sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def refuse_all(faults: Iterable[str]) -> None:
    """Fails with all faults. One test asks all files: a test of each would take longer than the question."""
    found = list(faults)
    assert not found, "\n".join(found)


DOCUMENTED = re.compile(r"(\w+_)?EXAMPLES?|OVERVIEW")


class Facts(NamedTuple):
    """The parts of a module that the tests below ask for."""

    imports: list[tuple[int, int, list[str]]]
    """The line, the level and the names of each import."""
    codes: list[int]
    """The lines of the calls of `Code`."""
    strings: list[tuple[int, str, bool]]
    """The line and the value of each string, and whether it is for people only."""


@cache
def facts_of(text: str) -> Facts:
    nodes = list(ast.walk(ast.parse(text)))
    skipped = {inner for node in documentation(nodes) for inner in ast.walk(node)}
    facts = Facts([], [], [])
    for node in nodes:
        match node:
            case ast.Import(names=aliases):
                facts.imports.append((node.lineno, 0, [alias.name for alias in aliases]))
            case ast.ImportFrom(names=aliases, module=module):
                base = f"{module}." if module else ""
                facts.imports.append((node.lineno, node.level, [f"{base}{alias.name}" for alias in aliases]))
            case ast.Call(func=ast.Name(id="Code")):
                facts.codes.append(node.lineno)
            case ast.Constant(value=str(value)):
                facts.strings.append((node.lineno, value, node in skipped))
            case _:
                pass
    return facts


def documentation(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields the nodes of a module for people only: docstrings, declarations of codes, and the examples of verbs."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node
            case ast.Call(func=ast.Name(id="Code")):
                yield node
            case ast.Assign(targets=[ast.Name(id=name)]) if DOCUMENTED.fullmatch(name):
                yield node
            case _:
                pass


# Goldens at the path of their source.

DEFINES = re.compile(r"^@irdl_(?:op|attr)_definition|^class \w+Pass\(", re.MULTILINE)


def proven() -> Iterator[Path]:
    """Yields the goldens of modules that define passes, ops or attributes, and those of refusals whose codes they declare."""
    for path in sources("dialects", "passes"):
        if DEFINES.search(text_of(path)) and not path.name.startswith("_"):
            golden = GOLDENS / path.relative_to(ROOT).with_suffix(".mlir")
            yield golden
            checked = PROVOKED.findall(text_of(golden)) if golden.is_file() else []
            if {*DECLARATION.findall(text_of(path))} - {*checked}:
                yield golden.with_stem(f"{path.stem}-errors")


def test_passes_and_ops_have_goldens() -> None:
    refuse_all(f"{shown(golden)} is missing" for golden in proven() if not golden.is_file())


# Codes.

CODES = [(match[1], path) for path in sources(*ROOMS) for match in DECLARATION.finditer(text_of(path))]
NAMES = sorted({name for name, _ in CODES})
PROVOKED = re.compile(r"(?://|#)\s*(?:[A-Z][A-Z0-9_-]*(?:\{LITERAL\})?:|expected-\w+).*?\[([A-Z]{3}\d{3})\]")


@cache
def goldens() -> tuple[Path, ...]:
    return tuple(
        path
        for suffix in ("*.mlir", "*.test")
        for path in sorted(GOLDENS.rglob(suffix))
        if not {"inputs", "bin"} & set(path.parts)
    )


@cache
def provoked() -> frozenset[str]:
    return frozenset(name for path in goldens() for name in PROVOKED.findall(text_of(path)))


def test_codes_are_declared_once() -> None:
    """A code is never used for two things."""
    places = {name: [shown(path) for code, path in CODES if code == name] for name in NAMES}
    refuse_all(f"{name} is declared in {' and in '.join(at)}" for name, at in places.items() if len(at) != 1)


def test_codes_are_documented() -> None:
    words = set(re.findall(r"\w+", text_of(ROOT / "docs" / "codes.md")))
    refuse_all(f"{name} is not in docs/codes.md: run `make docs`" for name in NAMES if name not in words)


@pytest.mark.parametrize("room", ROOMS)
def test_codes_are_explained_in_the_room_that_declares_them(room: str) -> None:
    declared = {name for name, path in CODES if path.is_relative_to(ROOT / room)}
    explained = [name for name, _ in read_explanations(ROOT / room)]
    assert sorted(declared) == sorted(explained), f"{room}/codes/*.md needs one section for each code of the room"


def test_codes_are_provoked_by_a_golden() -> None:
    refuse_all(
        f"no golden CHECKs `[{name}]`, which {shown(path)} declares" for name, path in CODES if name not in provoked()
    )


def test_codes_are_declared_where_they_are_found() -> None:
    """`nopt explain` and the tests above cannot find a `Code` that is created in any other way."""

    def declared(text: str) -> list[int]:
        return [text.count("\n", 0, match.start()) + 1 for match in DECLARATION.finditer(text)]

    refuse_all(
        f"{shown(path)} makes a Code that is not declared as `ABC001 = Code(` on its own line"
        for path in sources(*ROOMS)
        if facts_of(text_of(path)).codes != declared(text_of(path))
    )


# CHECK lines: filecheck ignores unknown directives, and prefixes that never occur.

DIRECTIVE = re.compile(r"^\s*(?://|#)\s*([A-Z][A-Z0-9_-]*)(?:\{LITERAL\})?:", re.MULTILINE)
KINDS = r"(?:-(?:NEXT|SAME|DAG|NOT|LABEL|EMPTY|COUNT-\d+))?"


def bad_checks(text: str) -> Iterator[str]:
    """Yields the lines that filecheck would ignore silently."""
    lines = re.findall(r"RUN:(.*)", re.sub(r"\\\n\s*(?://|#)\s*RUN:", " ", text))
    calls = [call for line in lines for call in re.split(r"\||&&|;", line) if re.search(r"\bfilecheck\b", call)]
    prefixes = {
        prefix
        for call in calls
        for prefix in (",".join(re.findall(r"--?check-prefix(?:es)?[= ]\s*['\"]?([\w,-]+)", call)) or "CHECK").split(
            ","
        )
    }
    used: set[str] = set()
    for tag in DIRECTIVE.findall(text):
        owner = [prefix for prefix in prefixes if re.fullmatch(re.escape(prefix) + KINDS, tag)]
        used.update(owner)
        if not owner and tag.startswith(("CHECK", "CHEK", "CHCK", *prefixes)):
            yield f"{tag}: is not a directive of any RUN line"
    yield from (f"no {prefix}: line for a prefix that a RUN line names" for prefix in sorted(prefixes - used))


def test_checks_are_spelt_right() -> None:
    refuse_all(f"{shown(path)}: {bad}" for path in goldens() for bad in bad_checks(text_of(path)))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("// RUN: nopt %s | filecheck %s\n// CHECK: a\n// CHECK-NEXT{LITERAL}: [[b]]\n// CHECK-COUNT-2: c\n", 0),
        ("// RUN: nopt %s | filecheck %s\n// CHECK-NXT: a\n// CHECK: b\n", 1),
        ("// RUN: nopt %s | filecheck %s --check-prefix=GENERIC\n// CHECK: a\n", 2),
        ("// RUN: nopt %s | filecheck %s --check-prefixes=A,B\n// A: a\n// B-DAG: b\n", 0),
        ("// RUN: nopt %s | \\\n// RUN:   filecheck %s --check-prefix A\n// A-NEXTT: a\n// A: a\n", 1),
        ("// RUN: nopt %s\n", 0),
    ],
)
def test_bad_checks_are_found(text: str, count: int) -> None:
    assert len(list(bad_checks(text))) == count


# Registered objects.


@pytest.mark.parametrize("name", registry.dialects())
def test_dialect_loads_under_its_name(name: str) -> None:
    assert registry.dialects()[name]().name == name


@pytest.mark.parametrize("name", registry.passes())
def test_pass_loads_under_its_name(name: str) -> None:
    assert registry.passes()[name]().name == name


@pytest.mark.parametrize("slug", registry.targets())
def test_target_loads_under_its_slug(slug: str) -> None:
    assert registry.targets()[slug]().slug == slug


@pytest.mark.parametrize("name", registry.frontends())
def test_frontend_can_recognise_and_read(name: str) -> None:
    module = import_module(f"nopt.{registry.frontends()[name]}")
    assert callable(module.recognises)
    assert callable(module.read)


@pytest.mark.parametrize("name", registry.presets())
def test_preset_is_called_as_its_file(name: str) -> None:
    path = registry.presets()[name]
    assert re.findall(r"^preset +(\S+)", text_of(path), re.MULTILINE) == [name], f"{shown(path)}: `preset {name}`"


SHARED_BY_TARGETS = ("kernels",)
"""Folders in `targets/` with the code of several targets."""


@pytest.mark.parametrize("room", ["passes", "targets"])
def test_every_folder_of_a_room_is_reachable(room: str) -> None:
    """A folder in `passes/` holds passes, a folder in `targets/` a target; no file is at a path that discovery ignores."""
    folders = [path for path in (ROOT / room).iterdir() if path.is_dir() and path.name not in ("__pycache__", "codes")]
    blind = [
        shown(path)
        for path in folders
        if (room == "targets" and path.name not in SHARED_BY_TARGETS and not (path / "target.py").is_file())
        or not (path / "__init__.py").is_file()
    ]
    assert not blind, f"not found by the registry, or not a package: {', '.join(blind)}"


# Imports between rooms.

CHIPS = frozenset(registry.targets())


def imported(text: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yields absolute dotted names of everything that a module in `package` imports, each with its line."""
    for line, level, names in facts_of(text).imports:
        base = package[: len(package) - level + 1] if level else ()
        yield from ((line, ".".join([*base, name])) for name in names)


def package_of(path: Path) -> tuple[str, ...]:
    return ("nopt", *path.parent.relative_to(ROOT).parts)


def chips_known(text: str, package: tuple[str, ...], chips: Iterable[str]) -> Iterator[str]:
    """Yields the references of a module to a chip: a string that is its slug, or an import of its rooms."""
    slugs = "|".join(map(re.escape, chips))
    spelled = re.compile(rf"\A(?:{slugs})\Z|\btargets\.(?:{slugs})\b")
    for line, value, _ in facts_of(text).strings:
        if spelled.search(value):
            yield f"line {line}: the string {value!r}"
    room = re.compile(rf"(^|\.)targets\.({slugs})(\.|$)")
    for line, name in imported(text, package):
        if room.search(name):
            yield f"line {line}: the import of {name}"


def test_shared_rooms_know_no_chip() -> None:
    found = {path: list(chips_known(text_of(path), package_of(path), CHIPS)) for path in sources(*ROOMS_WITHOUT_CHIPS)}
    refuse_all(f"{shown(path)} knows a chip by its name: {'; '.join(names)}" for path, names in found.items() if names)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"""Chips such as chipx."""\nx = "chipxy"', 0),
        ('if slug == "chipx": pass', 1),
        ("match slug:\n    case 'chipx': pass", 1),
        ("from ..targets.chipx import model", 1),
        ("from ..targets import chipx", 1),
        ("import nopt.targets.chipx.model", 1),
        ("from ..targets.reference import engine", 0),
        ('import_module("nopt.targets.chipx.model")', 1),
    ],
)
def test_chips_by_name_are_found(text: str, count: int) -> None:
    assert len(list(chips_known(text, ("nopt", "api"), ["chipx"]))) == count


ROOMS_WITHOUT_PIPELINES = ("core", "analysis", "api", "tools")
CONVERSION = re.compile(r"convert-(\w+)-to-(\w+)")
LEVELS = {level for name in registry.passes() if (match := CONVERSION.fullmatch(name)) for level in match.groups()}


def names_known(text: str, passes: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Yields strings that contain the name of a pass, or equal the name of a level or a target."""
    whole = frozenset(names)
    spelled = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, passes))})(?![\w-])")
    for line, value, is_documentation in facts_of(text).strings:
        if not is_documentation:
            found = {*spelled.findall(value), *({value} & whole)}
            yield from (f"line {line}: {name}" for name in sorted(found))


def test_shared_rooms_name_no_pass_level_or_target() -> None:
    others = LEVELS | frozenset(registry.targets())
    refuse_all(
        f"{shown(path)} names a pass, a level or a target: {name}"
        for path in sources(*ROOMS_WITHOUT_PIPELINES)
        for name in names_known(text_of(path), registry.passes(), others)
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"""convert-a-to-b"""\nEXAMPLE = "nopt a-fold"', 0),
        ('X001 = Code("X001", "a")', 0),
        ("help = \"--passes 'a-fold{most=1}'\"", 1),
        ('help = f"convert-a-to-b{{most={n}}}"', 1),
        ('if until == "a": pass', 1),
        ('ENGINES = {"fast": "chipx"}', 1),
        ('x = "ba-folder a chipxy"', 0),
    ],
)
def test_names_of_passes_levels_and_targets_are_found(text: str, count: int) -> None:
    assert len(list(names_known(text, ["a-fold", "convert-a-to-b"], ["a", "b", "chipx"]))) == count


PRIVATE = re.compile(r"nopt\.((?:\w+\.)+)_[a-z]\w*(?:\.|$)")


def test_private_helpers_stay_in_their_folder() -> None:
    """A module whose name starts with an underscore serves the modules of its folder; in `passes`, those of its step."""
    refuse_all(
        f"{shown(path)} imports a private helper of another folder: line {line}: {name}"
        for path in sources(*ROOMS)
        for line, name in imported(text_of(path), package_of(path))
        if (match := PRIVATE.match(name)) and owner_of(match[1].split(".")[:-1]) != owner_of(package_of(path)[1:])
    )


def owner_of(folders: Sequence[str]) -> tuple[str, ...]:
    """Returns the folder that a private module serves."""
    return tuple(folders[:2] if folders[0] == "passes" else folders)


STEP = re.compile(r"nopt\.passes\.(\w+)\.")
STEPS = {path.parent.name for path in ROOT.glob("passes/*/__init__.py")}


def test_passes_know_no_other_step() -> None:
    refuse_all(
        f"{shown(path)} imports another step; move the fact to analysis/: line {line}: {name}"
        for path in sources("passes")
        for own in [package_of(path)]
        for line, name in imported(text_of(path), own)
        if (match := STEP.match(name)) and len(own) > 2 and match[1] in STEPS - {own[2]}
    )


def test_no_folder_is_called_rules() -> None:
    """Facts are analyses; helpers are next to their pass."""
    assert not [shown(path) for path in sources(*ROOMS) if "rules" in path.parent.relative_to(ROOT).parts]


def test_analyses_know_core_and_dialects_alone() -> None:
    known = re.compile(r"nopt\.(core|dialects|analysis)\.")
    refuse_all(
        f"{shown(path)} imports another room: line {line}: {name}"
        for path in sources("analysis")
        for line, name in imported(text_of(path), package_of(path))
        if name.startswith("nopt.") and not known.match(name)
    )


def references_known(text: str, package: tuple[str, ...]) -> Iterator[str]:
    for line, name in imported(text, package):
        if re.search(r"(^|\.)targets\.reference(\.|$)", name):
            yield f"line {line}: {name}"


@pytest.mark.parametrize(
    "path",
    [path for path in sources("targets") if path.name == "model.py" and path.parent.name not in NO_CHIPS] or [None],
    ids=lambda path: shown(path) if path else "none yet",
)
def test_model_does_not_lean_on_the_reference(path: Path | None) -> None:
    found = list(references_known(text_of(path), package_of(path))) if path else []
    assert not found, f"the model must be able to disagree with the reference: {'; '.join(found)}"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("from ..reference.engine import run", 1),
        ("from ..reference import engine", 1),
        ("from .. import reference", 1),
        ("import nopt.targets.reference", 1),
        ("from ...simulation import updates", 0),
    ],
)
def test_imports_of_the_reference_are_found(text: str, count: int) -> None:
    assert len(list(references_known(text, ("nopt", "targets", "chipx")))) == count


# Halls, and circles of imports.

MOST_MODULES = 15
HALLS = frozenset(
    [
        "analysis",
        "core",
        "core/device",
        "dialects/chip_base",
        "simulation",
        "tools",
    ]
)
"""Folders that are not divided yet."""
CIRCLES_OF_TYPES = frozenset(
    {
        frozenset({"dialects.machine._counts", "dialects.machine.graph"}),
        frozenset({"dialects.ntensor._synapse_interface", "dialects.ntensor.axon_types"}),
    }
)
"""Modules of which one imports the types of another for annotations alone."""


def test_no_folder_is_a_hall() -> None:
    modules = Counter(shown(path.parent) for path in sources(*ROOMS) if path.name != "__init__.py")
    halls = {folder for folder, count in modules.items() if count > MOST_MODULES}
    refuse_all(
        f"{folder} holds {modules[folder]} modules, more than {MOST_MODULES}" for folder in sorted(halls - HALLS)
    )
    refuse_all(f"{folder} needs no exception any longer" for folder in sorted(HALLS - halls))


class Imports(ast.NodeVisitor):
    """Modules of the tree that a module imports: when it is loaded, within functions, and for annotations alone."""

    def __init__(self, package: Sequence[str], modules: Collection[str]):
        self.package, self.modules, self.place = package, modules, "loaded"
        self.names: dict[str, set[str]] = {"loaded": set(), "lazy": set(), "types": set()}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = [*self.package[: len(self.package) - node.level + 1]] if node.level else []
        base += node.module.split(".") if node.module else []
        for one in node.names:
            name = ".".join([*base, one.name])
            self.names[self.place].add(name if name in self.modules else ".".join(base))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit_within(node, "lazy")

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_within(node, "lazy")

    def visit_If(self, node: ast.If) -> None:
        self.visit_within(node, "types" if ast.unparse(node.test) == "TYPE_CHECKING" else self.place)

    def visit_within(self, node: ast.AST, place: str) -> None:
        outer, self.place = self.place, place
        self.generic_visit(node)
        self.place = outer


def import_graph(files: Mapping[str, tuple[Sequence[str], str]], *places: str) -> dict[str, set[str]]:
    """Returns the modules that each module imports; `files` maps a module to its package and its text."""
    graph: dict[str, set[str]] = {}
    for name, (package, text) in files.items():
        visitor = Imports(package, files)
        visitor.visit(ast.parse(text))
        graph[name] = {one for place in places for one in visitor.names[place] if one in files} - {name}
    return graph


def circles(graph: Mapping[str, Iterable[str]]) -> set[frozenset[str]]:
    """Returns the strongly connected components of several modules: sets of modules that reach each other."""
    reached = {name: {name} for name in graph}
    for name in graph:
        work = [name]
        while work:
            for other in graph[work.pop()]:
                if other not in reached[name]:
                    reached[name].add(other)
                    work.append(other)
    components = (frozenset(other for other in reached[name] if name in reached[other]) for name in graph)
    return {one for one in components if len(one) > 1}


@cache
def modules_of_the_tree() -> dict[str, tuple[tuple[str, ...], str]]:
    files = {path: ("nopt", *path.relative_to(ROOT).with_suffix("").parts) for path in sources(*ROOMS)}
    return {
        ".".join(parts[:-1] if path.name == "__init__.py" else parts): (package_of(path), text_of(path))
        for path, parts in files.items()
    }


@pytest.mark.parametrize(
    ("places", "allowed"),
    [
        (("loaded",), frozenset[frozenset[str]]()),
        (("loaded", "lazy"), frozenset[frozenset[str]]()),
        (("loaded", "lazy", "types"), CIRCLES_OF_TYPES),
    ],
    ids=["loaded", "lazy", "types"],
)
def test_no_imports_in_a_circle(places: Sequence[str], allowed: frozenset[frozenset[str]]) -> None:
    found = circles(import_graph(modules_of_the_tree(), *places))
    named = {frozenset(name.removeprefix("nopt.") for name in one) for one in found}
    refuse_all(f"a circle of imports: {', '.join(sorted(one))}" for one in named - allowed)
    refuse_all(f"no circle any longer: {', '.join(sorted(one))}" for one in allowed - named)


def test_circles_are_found() -> None:
    texts = {
        "nopt.a": "from .b import x",
        "nopt.b": "def f():\n    from .c import y\nif TYPE_CHECKING:\n    from .d import z",
        "nopt.c": "import os\nfrom . import a",
        "nopt.d": "from .c import y",
    }
    files = {name: (("nopt",), text) for name, text in texts.items()}
    assert circles(import_graph(files, "loaded")) == set()
    assert circles(import_graph(files, "loaded", "lazy")) == {frozenset({"nopt.a", "nopt.b", "nopt.c"})}
    assert circles(import_graph(files, "loaded", "lazy", "types")) == {frozenset(texts)}


def test_version_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from nopt.tools.main import main\n"
        "try:\n"
        "    code = main(['--version'])\n"
        "except SystemExit as left:\n"
        "    code = left.code\n"
        f"print(code or 0, *(name for name in {HEAVY!r} if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    code, *heavy = done.stdout.splitlines()[-1].split()
    assert code == "0", done.stderr
    assert not heavy, f"`nopt --version` imports {', '.join(heavy)}: import it inside of the function that needs it"


# Words that reveal the place of development.

PLACES = re.compile(r"(?<![\w.~}):-])/(?:work|root|home|opt|mnt|Users)/\w|file:" r"//")
SAMPLES = "../" + "shared"


def tracked() -> list[Path]:
    """Returns the files of the tree; without git, all files that are not hidden or built."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return [
            path
            for path in ROOT.rglob("*")
            if path.is_file() and not {"build", ".venv", ".venv-train"} & set(path.parts)
        ]
    return [path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_place_of_one_machine_is_named() -> None:
    found: list[str] = []
    for path in tracked():
        try:
            text = text_of(path)
        except UnicodeDecodeError:
            continue
        samples_allowed = path.name == "Makefile" or path.is_relative_to(TESTS)
        found += [
            f"{shown(path)}:{number}: {line.strip()[:100]}"
            for number, line in enumerate(text.splitlines(), 1)
            if PLACES.search(line) or (SAMPLES in line and not samples_allowed)
        ]
    assert not found, "\n".join(found)

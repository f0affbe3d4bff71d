"""Commands on projects and programs (config, new, import), and those that print what is installed."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import array_mutations
import numpy as np
import text_mutations
from draft import Draft
from inputs import RESETS, SETTINGS, Inputs
from options import ODD, ODD_TIMES, PRESETS, TIMES
from places import ROOT

from nopt.api.configuration_files import BACKEND_KEYS, PROJECT_KEYS

Tables = dict[str, dict[str, Any]]

GOOD_PROGRAMS = (
    ("def make():\n    return object()\n", "make"),
    ("class Net:\n    def named_modules(self):\n        return []\n    def __call__(self, x):\n        return x\nnet = Net()\n", "net"),
    ("class Net:\n    def named_modules(self):\n        yield '', self\n    def __call__(self):\n        return self\n", "Net"),
    ("from functools import partial\ndef build(size):\n    return [size]\nmake = partial(build, 3)\n", "make"),
    ("import types\nroom = types.SimpleNamespace(net=3)\n", "room.net"),
    ("make = lambda: None\nif __name__ == '__main__':\n    raise SystemExit(9)\n", "make"),
)  # fmt: skip
"""Programs that reach the check of the object, which refuses them."""
ODD_PROGRAMS = (
    ("def make(:\n", "make"),
    ("def make():\n    raise ValueError('x\\x1b[31m\\n\\u202e')\n", "make"),
    ("def make():\n    raise SystemExit(0)\n", "make"),
    ("def make():\n    raise BaseException('base')\n", "make"),
    ("def make():\n    return make()\n", "make"),
    ("raise RuntimeError\n", "make"),
    ("import nothing_of_this_name\n", "make"),
    ("import sys\nsys.exit('bye')\n", "make"),
    ("def make(x):\n    return x\n", "make"),
    ("class Net:\n    def __call__(self): pass\n    @property\n    def named_modules(self): raise KeyError('k')\nnet = Net()\n", "net"),
    ("class Net:\n    def __call__(self): pass\n    def named_modules(self): raise KeyError('k')\nnet = Net()\n", "net"),
    ("class Net:\n    def __call__(self): pass\n    def named_modules(self): return 3\nnet = Net()\n", "net"),
    ("class Net:\n    def __call__(self): pass\n    def named_modules(self): return [1, ('a',), ('b', 2, 3)]\nnet = Net()\n", "net"),
    ("class Net:\n    def __getattr__(self, name): raise ValueError(name)\nnet = Net()\n", "net"),
    ("class Net:\n    def __getattr__(self, name): return self\n    def __call__(self, *a, **k): return self\nnet = Net()\n", "net"),
    ("class Net:\n    __slots__ = ()\n    def __repr__(self): raise ValueError\n    def __str__(self): raise ValueError\ndef make():\n    return Net()\n", "make"),
    ("class Meta(type):\n    @property\n    def __name__(cls): raise ValueError\nclass Net(metaclass=Meta): pass\nnet = Net()\n", "net"),
    ("import warnings\ndef make():\n    warnings.warn('old')\n    return 3\n", "make"),
    ("print('text')\ndef make():\n    print('more')\n    return 3\n", "make"),
    ("def make():\n    yield 1\n", "make"),
    ("async def make():\n    return 1\n", "make"),
    ("def __getattr__(name):\n    raise ValueError(name)\n", "make"),
    ("x = 1\n", "make"), ("", "make"), ("\x00", "make"), ("make = 'é'\n", "make"), ("# coding: nothing\nmake = 1\n", "make"),
    ("del __name__, __file__\nmake = 1\n", "make"),
)  # fmt: skip
FRAMEWORKS = ROOT / "lit-tests" / "tools" / "inputs" / "frameworks"
SUBSTITUTES = {str(path.relative_to(FRAMEWORKS)): path.read_bytes() for path in sorted(FRAMEWORKS.rglob("*.py"))}
"""Networks with substitutes of PyTorch and its frameworks, which the base installation does not have."""
CROSS = (ROOT / "lit-tests" / "tools" / "inputs" / "cross.mlir").read_text(encoding="utf-8")
"""A linear layer `fc` [2, 2] and a population `if` of 2 neurons."""
ODD_NAMES = ("", "make.x", "make.", ".make", "__class__", "__dict__", "a:b", "Make", "9", "make\n")
TEMPLATE_NAMES = ("my_chip", "first", "x", "tiny_one")
ODD_TEMPLATE_NAMES = ("c", "asic", "norse", "Chip", "my-chip", "9x", "import", "é", "../x", "a/b", "x" * 300, "nir", "nopt", "class")  # fmt: skip
TOML_VALUES = ("1", "-1", "1.5", "nan", "inf", "true", "[]", "[1]", '["a=b"]', '["a"]', "{}", "{ a = 1 }", '""', '"x"', "1979-05-27", "07:32:00", "0x10", "1e400", '"\\u0000"', '"\\u001b[31m"', '"../../x"', '"/"', "9" * 30, "9" * 5000, "'''\na'''")  # fmt: skip


class OtherVerbs(Inputs):
    """Drafts of commands without a network, and of those whose choices come from a file."""

    # ---- nopt.toml

    def configuration(self, made: Draft, target: str | None = None) -> bytes:
        """Returns a configuration file: some keys of its tables, damaged by structure or as text."""
        random = made.random
        tables: Tables = {"project": {}}
        values: dict[str, tuple[str, ...]] = {"dt": TIMES, "like": PRESETS, "exported_by": ("snntorch", "norse"), "reset": RESETS, "loop_delay": ("spikes", "current"), "calib": ("poisson:0.1",), "out": ("out",)}  # fmt: skip
        for name, known in values.items():
            if random.random() < 0.5 and not (made.is_good and name in ("reset", "loop_delay", "exported_by")):
                tables["project"][name] = "norse" if made.is_good and name == "like" else random.choice(known)
        key = target or random.choice(self.keys)
        slug, _, device = key.partition("/")
        if random.random() < 0.7:
            tables["project"]["target"] = random.choice((slug, key))
            tables[f"backend_{slug}"] = {"device": device}
            if made.damages(0.5):
                backend = {"set": [self.setting(made, key)], "passes": "ntensor-fold-scale", "weight_bits": 8, "state_bits": 16}  # fmt: skip
                tables[f"backend_{slug}"] |= {name: backend[name] for name in backend if random.random() < 0.4}
        if made.damages(0.4):
            self.change_tables(random, tables)
        text = toml_text(tables)
        if made.damages(0.3):
            return text_mutations.damaged(random, text, [text])
        if made.damages(0.03):
            depth = random.choice((10, 500, 100_000))
            text += f"x = {'[' * depth}{']' * depth}\n"
        return text.encode("utf-8", "surrogatepass")

    def change_tables(self, random: Random, tables: Tables) -> None:
        """Adds a key with an unusual value, or renames a table or key."""
        table = random.choice(list(tables))
        match random.randrange(4):
            case 0:
                tables[random.choice(("backend_", "backend_nothing", "project2", "a.b", "backend_c", "é"))] = (
                    tables.pop(table)
                )
            case 1:
                tables[table][random.choice(("dtt", "", "a b", "like ", "\x1b"))] = "x"
            case 2:
                names = [*(PROJECT_KEYS if table == "project" else BACKEND_KEYS)]
                tables[table][random.choice(names)] = random.choice((*ODD, *ODD_TIMES))
            case _:
                names = [*(PROJECT_KEYS if table == "project" else BACKEND_KEYS)]
                tables[table][random.choice(names)] = Raw(random.choice(TOML_VALUES))

    def config(self, made: Draft) -> None:
        made.files["nopt.toml"] = self.configuration(made)
        made.arguments.append("config")
        made.maybe(0.2, "--target", *self.keys)
        made.maybe(0.2, "--dt", *TIMES, odd=ODD_TIMES)
        made.unusual(0.1, "--set", *SETTINGS, *ODD)
        made.unusual(0.1, "-p", "ntensor-fold-scale", *ODD)
        made.unusual(0.1, "--config", "nopt.toml", "no.toml", ".", *ODD)
        if made.chance(0.1):
            made.arguments.append("--schema")

    def project(self, made: Draft) -> None:
        """Adds a verb whose choices come from `nopt.toml`."""
        build = made.random.choice(self.material.builds)
        network, name = self.network(made, 0.05, like=None if made.damages(0.5) else build.network)
        made.files["nopt.toml"] = self.configuration(made, network.device or build.device)
        verb = made.random.choice(("run", "run", "check", "compile", "compile"))
        made.arguments += [verb, name]
        if verb == "run" or made.chance(0.3):
            made.option("--input" if verb != "compile" else "--calib", self.signal(made, network, 0.0))
        if network.level == "nir" and made.chance(0.5):
            self.ticks(made, network)
        if verb == "compile" and made.is_good:
            made.option("--target", network.device)
        if verb == "compile" and (made.is_good or made.chance(0.5)):
            made.option("-o", "out")
        made.allowed.add("out")

    # ---- programs and templates

    def program(self, made: Draft) -> None:
        """Imports a network from a Python file, up to the check that the object is a network."""
        if made.chance(0.5):
            self.substituted(made)
            return
        text, name = made.random.choice(GOOD_PROGRAMS if made.is_good or made.chance(0.2) else ODD_PROGRAMS)
        data = text.encode()
        if made.damages(0.15):
            data = text_mutations.damaged(made.random, text, [text])
        made.files["net.py"] = data
        file = made.some(("net.py",), ("no.py", "net", ".", "net.txt", "./net.py", "net.py:x"), 0.05)
        made.arguments += ["import", f"{file}:{made.some((name,), ODD_NAMES, 0.1)}"]
        if made.chance(0.4):
            network = self.material.networks[0]
            made.option("--input", self.signal(made, network, 0.3))
        made.maybe(0.2, "--dt", "1ms", odd=(*ODD_TIMES, *ODD))
        made.maybe(0.2, "--shape", "3", "2x4x4", odd=("0", "x", "-1", "3x", "9" * 30, *ODD))
        made.maybe(0.2, "--allow-differing", "0", "0.1", odd=("2", "nan", "-1", *ODD))
        made.unusual(0.1, "--like", *PRESETS, *ODD)
        made.unusual(0.1, "--axes", "ticks,samples,…", *ODD)
        if made.chance(0.3):
            made.option("-o", "out.nir")
        made.answer = r"\bTOR0\d\d\b"

    def substituted(self, made: Draft) -> None:
        """Imports a network of the goldens, whose frameworks are substitutes in its folder."""
        made.files |= SUBSTITUTES
        if made.damages(0.5):
            name = "networks.py" if made.chance(0.7) else made.random.choice(sorted(SUBSTITUTES))
            text = SUBSTITUTES[name].decode()
            made.files[name] = text_mutations.damaged(made.random, text, [text])
        networks = re.findall(r"(?m)^(?:def|class) (\w+)", SUBSTITUTES["networks.py"].decode())
        made.arguments += ["import", f"networks.py:{made.some(('make_network',), networks, 0.6)}"]
        if made.damages(0.4):
            made.files["x.npy"] = array_mutations.damage_npy(made.random, array_mutations.npy([[0.0, 1.0], [1.0, 0.0]]))
            made.option(
                "--input", made.some(("x.npy", "poisson:0.9", "constant:1"), ("poisson:", "zeros,x=1", *ODD), 0.2)
            )
        made.maybe(0.2, "--precision", "f64", odd=("f32", *ODD))
        made.unusual(0.2, "--shape", "2", "3", "2x2", *ODD)
        made.unusual(0.2, "--dt", *TIMES, *ODD_TIMES)
        made.unusual(0.1, "--reset", *RESETS, *ODD)
        made.unusual(0.1, "--ticks", "0", "5", "-1", "999999999999", *ODD)
        made.unusual(0.1, "--allow-differing", "1", "nan", *ODD)
        if made.chance(0.5):
            out = f"out{made.some(('.nir', '.mlir', '.json'), ('', '.c', '.py'), 0.1)}"
            made.option("-o", out)
            made.allowed.add(out)

    def weights(self, made: Draft) -> None:
        """Imports arrays into a small network, under the names of its parameters or others."""
        text = CROSS
        arrays: dict[str, Any] = {"fc.weight": np.eye(2), "if.v_threshold": np.ones(2)}
        made.files["net.mlir"] = (
            text_mutations.damaged(made.random, text, [text]) if made.damages(0.2) else text.encode()
        )
        is_damaged = made.damages(0.5)
        made.files["weights.npz"] = (
            array_mutations.damage_npz(made.random, arrays) if is_damaged else array_mutations.npz(arrays)
        )
        made.arguments += ["import-weights", "net.mlir", made.some(("weights.npz",), ("no.npz", ".", "net.mlir"))]
        made.unusual(0.2, "--skip", "*", "*.bias", "[", *ODD)
        out = f"out{made.some(('.nir', '.mlir', '.json'), ('', '.c'), 0.1)}"
        made.option("-o", out)
        made.allowed.add(out)

    def training(self, made: Draft) -> None:
        """Trains a small network, up to the check of the samples: PyTorch is missing, or they have no labels."""
        arrays: dict[str, Any] = {"input": np.zeros((4, 3, 2))}
        made.files["net.mlir"] = CROSS.encode()
        is_damaged = made.damages(0.5)
        made.files["train.npz"] = (
            array_mutations.damage_npz(made.random, arrays) if is_damaged else array_mutations.npz(arrays)
        )
        made.arguments += ["tune", "net.mlir", "--data", made.some(("train.npz",), ("no.npz", ".", "net.mlir"))]
        made.arguments += ["--target", "c", "--dt", "1ms", "--like", "norse", "-o", "out.mlir"]
        made.unusual(0.2, "--epochs", "0", "-1", *ODD)
        made.unusual(0.2, "--learning-rate", "0", "nan", "inf", *ODD)
        made.unusual(0.2, "--hold-back", "0", "1", *ODD)
        made.unusual(0.2, "--output", "output", *ODD)
        made.answer = r"\bTUN00[14]\b"

    def module(self, made: Draft) -> None:
        """Writes a small network as a module of PyTorch, which needs no PyTorch."""
        is_damaged = made.damages(0.3)
        made.files["net.mlir"] = text_mutations.damaged(made.random, CROSS, [CROSS]) if is_damaged else CROSS.encode()
        made.arguments += ["export", "net.mlir", "--torch", "--dt", "1ms", "--like", "norse"]
        made.option("--target", made.some(("c", "c/int8"), ("nothing", *ODD), 0.1))
        made.unusual(0.2, "--surrogate", "atan", "nothing", *ODD)
        made.unusual(0.2, "--surrogate-width", "0", "-1", "nan", *ODD)
        made.option("-o", made.some(("chip.py",), ("chip", ".", "chip.npz"), 0.1))
        made.allowed |= {"*"}

    def measurement(self, made: Draft) -> None:
        """Measures a small network on the reference."""
        is_damaged = made.damages(0.3)
        made.files["net.mlir"] = text_mutations.damaged(made.random, CROSS, [CROSS]) if is_damaged else CROSS.encode()
        made.arguments += ["bench", "net.mlir", "--dt", "1ms", "--like", "norse", "--seconds", "0.001"]
        made.option("--engine", made.some(("numpy",), ("nothing", ",", *ODD), 0.2))
        made.maybe(0.5, "--ticks", "3", odd=("-1", *ODD))
        made.unusual(0.2, "--samples", "0", "2", "-1", *ODD)
        made.unusual(0.1, "--core", "cortex-m0", *ODD)
        made.unusual(0.1, "--target", "c", "nothing", *ODD)

    def new(self, made: Draft) -> None:
        kind = made.some(("target", "dialect", "pass", "device"), ("nothing", *ODD), 0.03)
        made.arguments += ["new", kind, made.some(TEMPLATE_NAMES, (*ODD_TEMPLATE_NAMES, *ODD), 0.4)]
        made.maybe(0.7, "--at", ".", odd=("made", "made/deep", "/dev/null", "net.py", *ODD))
        if made.damages(0.1):
            made.arguments.append("--in-tree")
        made.unusual(0.1, "--step", "normalize", "legalize", "nothing", *ODD)
        if made.damages(0.2):
            made.files["pyproject.toml"] = made.random.choice((b"", b"[project]\nname = 'x'\n", b"[project]\nname = 3\n", b"[[", b"\xff", b"[project.entry-points.'nopt.plugins']\nx = 1\n"))  # fmt: skip
        made.allowed |= {"*"}

    # ---- tables

    def explain(self, made: Draft) -> None:
        made.arguments += ["explain", made.some(self.codes, (*ODD, "NIR9", "nir002"), 0.5)]

    def show_targets(self, made: Draft) -> None:
        made.arguments += ["targets", made.some(self.targets, ODD, 0.3)]
        table = made.random.choice(("", "", "--matrix", "--matrix", "--features", "--ops"))
        if table:
            fast = [key for key in self.keys if key.startswith(("asic/", "c/"))]  # probes of other devices take seconds
            made.arguments[1] = made.some(self.keys if table == "--matrix" else fast, (fast[0], *ODD), 0.2)
            made.arguments.append(table)
            made.maybe(0.1 if table == "--matrix" or not made.is_good else 0, "--format", "md", "html")
            made.unusual(0.2, "--state", "full", "exact", "refused", *ODD)
            made.unusual(0.2, "--capability", "fan-in", *ODD)
            made.unusual(0.2, "--op", "nir.conv2d", "nir.lif", *ODD)
            made.unusual(0.2, "--note", "x", *ODD)
            made.unusual(0.2, "--totals", "device", "target", "capability", *ODD)
            made.arguments += ["--ranking"] if made.damages(0.1) else []

    def show_passes(self, made: Draft) -> None:
        made.arguments += ["passes", made.some(list(self.pipelines.passes), ODD, 0.5)]

    def show(self, made: Draft) -> None:
        """Adds a verb that prints a list."""
        verb = made.random.choice(("engines", "presets", "neurons", "passes", "targets", "completion"))
        made.arguments.append(verb)
        if verb == "completion":
            made.arguments.append(made.some(("bash", "zsh", "fish"), ("sh", *ODD), 0.3))
        if made.damages(0.2):
            made.arguments.append(made.random.choice(ODD))

    def unknown(self, made: Draft) -> None:
        """Adds words that are not verbs, or unsuitable arguments; a good command prints an overview."""
        if made.is_good:
            made.arguments.append(made.random.choice(("--help", "help", "--version")))
            return
        verbs = ("", "run", "check", "compare", "sweep", "device", "plot", "diff", "report", "nothing", *ODD)
        made.arguments += [made.random.choice(verbs), made.random.choice(ODD)]


class Raw(str):
    """A text that is written into TOML as it is."""


def toml_text(tables: Tables) -> str:
    """Returns tables as TOML."""
    lines: list[str] = []
    for name, entries in tables.items():
        lines.append(f"[{name}]")
        lines += [
            f"{json.dumps(key) if not key.isidentifier() else key} = {toml_value(value)}"
            for key, value in entries.items()
        ]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    return str(value) if isinstance(value, Raw) else json.dumps(value)

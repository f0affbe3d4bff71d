"""Verbs of the `nopt` command."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

VERBS = {
    "run": "run a network with an input",
    "compile": "write the input of a target's loader, the IR after every pass, and a report",
    "check": "report ambiguous, repaired and suspicious parts of a network",
    "import": "import a network of PyTorch, and compare it with its framework, or an ONNX model",
    "import-weights": "replace weights of a network by arrays that were trained elsewhere",
    "export": "write a network for PyTorch or Brian 2: a module, a state dict, a program",
    "tune": "train a network for a device, and write a network that compile takes",
    "report": "write a page of figures and tables about a build or a network",
    "plot": "draw a raster, rates or traces of an array",
    "compare": "compare two files of arrays, and report the first difference",
    "diff": "compare two builds: loss, memory, mapping and cost",
    "bench": "measure the time and the memory of a network on every engine",
    "sweep": "measure the cost of every combination of pass options and device fields",
    "reduce": "shrink a network to the smallest that still has a finding",
    "explain": "explain a code and its remedy",
    "passes": "list the passes with their options",
    "engines": "list the engines that can run a network on this machine",
    "presets": "list the presets of frameworks, with their versions and options",
    "neurons": "list the neurons of presets, passes and devices, with their families",
    "targets": "list the targets and the features of their devices",
    "device": "check a device file, or write its page",
    "conform": "ask a device whether its target enforces its limits and computes the network",
    "config": "print the choices of nopt.toml and where each comes from",
    "completion": "print the completion of a shell",
    "new": "write a template of a target, dialect, pass or device",
}
"""Verbs with their summaries; each is `tools/<verb>.py`, with underscores. Any other word is a file for the textual driver, `tools/opt.py`."""


def verb_module(name: str) -> ModuleType:
    """Returns the module of a verb."""
    return import_module(f".{name.replace('-', '_')}", __package__)

"""The environments of the tools that nopt is compared with: one pinned virtual environment each.

`requirements/NAME.txt` lists every package of a tool with its exact version. Nothing else is installed, because some tools ask for
packages that they do not use here, or that would replace PyTorch by another build. A tool without a package is built from a commit of its
repository. A tool that cannot be installed is an `UnavailableError` with the reason.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

from places import TESTS

HERE = TESTS / "oracle"
MINUTES = 20
"""Time limit of an installation."""


@dataclass(frozen=True)
class Tool:
    """A tool with a separate environment.

    `script` in `tools/` runs it, or is empty if a target's own script does. `first` names packages that are installed with their own
    dependencies. `newest` is the newest Python that the pinned versions support. With `ignores_python`, that which a package declares is ignored.
    `program` is the program of the environment, and `sources` the folder of the repository with the C++ sources of a tool that is built.
    """

    name: str
    title: str
    script: str
    first: tuple[str, ...] = ()
    newest: tuple[int, int] = (3, 14)
    ignores_python: bool = False
    program: str = "python"
    sources: str = ""

    @property
    def requirements(self) -> Path:
        return HERE / "requirements" / f"{self.name}.txt"

    def python(self, folder: Path) -> Path:
        """Returns the interpreter, or another program, of the tool's environment in `folder`."""
        return folder / self.name / "bin" / self.program


FRAMEWORKS = {
    tool.name: tool
    for tool in (
        Tool("snntorch", "snnTorch", "snntorch_networks.py", ("torch",)),
        Tool("norse", "Norse", "norse_networks.py", ("torch",)),
        Tool("sinabs", "sinabs", "sinabs_networks.py", ("torch",)),
        Tool("rockpool", "rockpool", "rockpool_networks.py", ("torch",)),
        Tool("spyx", "Spyx", "spyx_networks.py"),
        Tool("spikingjelly", "SpikingJelly", "spikingjelly_networks.py", ("torch",)),
    )
}


CHIP_TOOLS = {
    tool.name: tool
    for tool in (
        Tool("lava", "Lava", "", newest=(3, 11), ignores_python=True),
        Tool("nengo_loihi", "nengo-loihi", "loihi_nengo.py", newest=(3, 11)),
        Tool("brian2_loihi", "brian2-loihi", "loihi_brian.py", newest=(3, 13)),
        Tool("sanafe", "SANA-FE", "loihi_sanafe.py", newest=(3, 13)),
        Tool("akida", "BrainChip akida", "akida_models.py", newest=(3, 12)),
        Tool("spynnaker", "sPyNNaker", "", newest=(3, 12)),
        Tool("pacman", "PACMAN", "spinnaker_tables.py", newest=(3, 12)),
        Tool("nest", "NEST", "", newest=(3, 13)),
        Tool("pynn_nest", "NEST with PyNN", "", newest=(3, 13)),
        Tool("brian2", "Brian 2", "spinnaker2_brian.py", newest=(3, 13)),
        Tool("xylosim", "XyloSim", "", newest=(3, 12)),
        Tool("sinabs", "sinabs", "sinabs_layers.py", ("torch",)),
        Tool("aihwkit", "aihwkit", "memxbar_aihwkit.py", ("torch",), newest=(3, 12)),
        Tool("dynapsim", "rockpool's DynapSim", "dynapse_dynapsim.py", newest=(3, 13)),
        Tool("ranc", "RANC's simulator", "", program="ranc_sim", sources="simulator"),
        Tool("onnxruntime", "ONNX Runtime", "onnx_graphs.py"),
        Tool("neurobench", "NeuroBench's harness", "neurobench_networks.py", ("torch",), newest=(3, 13)),
    )
}
"""Tools that targets name as their `oracles`, NEST for scripts of PyNN, the harness of NeuroBench, and ONNX Runtime."""


IMPORTS = Tool("frameworks", "the frameworks of nopt import", "imported_networks.py", ("torch",), newest=(3, 13))
"""Environment with all frameworks that `nopt import` knows."""


class UnavailableError(Exception):
    """A tool that cannot be installed on this machine, with the reason."""


def is_current(tool: Tool, folder: Path) -> bool:
    """Returns whether the environment holds the packages of the requirements."""
    marker = folder / tool.name / ".requirements"
    return marker.is_file() and marker.read_text(encoding="utf-8") == digest(tool)


def digest(tool: Tool) -> str:
    return hashlib.sha256(tool.requirements.read_bytes()).hexdigest()


def prepare(tool: Tool, folder: Path) -> Path:
    """Creates the environment of a tool in `folder`, unless it is current, and returns its interpreter.

    Errors: UnavailableError if Python is too new or pip fails, for example without a network.
    """
    python = tool.python(folder)
    if is_current(tool, folder):
        return python
    if sys.version_info[:2] > tool.newest:
        raise UnavailableError(f"Python {tool.newest[0]}.{tool.newest[1]} or older is needed")
    if tool.sources:
        build_sources(tool, folder)
        return python
    call(sys.executable, "-m", "venv", "--without-pip", "--clear", str(folder / tool.name))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)", tool.requirements.read_text(encoding="utf-8"), re.MULTILINE))
    for name in tool.first:
        call(*pip, "--constraint", str(tool.requirements), f"{name}=={pins[name]}")
    ignored = ["--ignore-requires-python"] if tool.ignores_python else []
    call(*pip, *ignored, "--no-deps", "--requirement", str(tool.requirements))
    (folder / tool.name / ".requirements").write_text(digest(tool), encoding="utf-8")
    return python


def build_sources(tool: Tool, folder: Path) -> None:
    """Builds a tool from the commit of a repository that its requirements name: `OWNER/NAME==COMMIT`."""
    text = tool.requirements.read_text(encoding="utf-8")
    ((repository, commit),) = re.findall(r"^([\w-]+/[\w-]+)==(\w+)$", text, re.MULTILINE)
    home = folder / tool.name
    rmtree(home, ignore_errors=True)
    (home / "bin").mkdir(parents=True)
    call(
        "git",
        "clone",
        "--quiet",
        "--filter=blob:none",
        "--sparse",
        f"https://github.com/{repository}",
        str(home / "src"),
    )
    call("git", "-C", str(home / "src"), "sparse-checkout", "set", tool.sources)
    call("git", "-C", str(home / "src"), "checkout", "--quiet", commit)
    sources = home / "src" / tool.sources
    files = map(str, sorted((sources / "src").glob("*.cpp")))
    call("c++", "-std=c++11", "-O2", "-I", str(sources / "extern"), *files, "-o", str(tool.python(folder)))
    (home / ".requirements").write_text(digest(tool), encoding="utf-8")


def call(*command: str) -> None:
    """Runs a step of an installation."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MINUTES * 60, check=False)
    except FileNotFoundError:
        raise UnavailableError(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise UnavailableError(f"{' '.join(command[1:4])} took more than {MINUTES} minutes") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        reason = next((line for line in lines if line.startswith("ERROR")), lines[-1] if lines else "no reason printed")
        raise UnavailableError(reason.removeprefix("ERROR: "))

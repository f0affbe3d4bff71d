"""`make engines`: the same networks on every engine that is usable here, compared with the reference; software devices included.

Integers and spikes of networks of integers equal the reference in every bit, those of networks of reals in all but `MOST` of the entries. Networks that an engine
refuses are counted, with the reason. The environment has the packages of the engines; without them everything but `native` is skipped, with the reason.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from places import ROOT

sys.path.insert(0, str(ROOT / "tests" / "property" / "kernels"))

from cases import Case, examples, generated, published
from machines import variables

import nopt.api as nopt
from nopt.api.executing.speeds import different_entries
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.real_numbers import has_reals
from nopt.simulation.records import Records

PACKAGES = ("iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0", "wgpu==0.32.0", "pyopencl")
MOST = 1e-4
"""Share of the entries of an output of a network with reals that may differ."""
MINUTES = 10
"""Time limit of the installation."""
SAMPLES, DENSITY = 2, 0.3


def environment(folder: Path) -> Path | str:
    """Returns the interpreter of an environment with the packages of engines, or the reason why there is none. It has those of this interpreter, too."""
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
        install = [python, "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True, capture_output=True, timeout=60 * MINUTES)
        found = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        own = subprocess.run(found, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        return f"the packages of engines cannot be installed: {error}"
    added = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"  # with its .pth files, such as that of nopt
    Path(own, "nopt.pth").write_text(added, encoding="utf-8")
    return python


def networks(shared: Path, count: int, only: str) -> Iterator[tuple[Case, Any, dict[str, Any]]]:
    """Yields the cases, each with its network in ticks and its inputs."""
    for case in (*examples(), *published(shared), *generated(count)):
        if only not in case.name:
            continue
        options: Any = {**case.options, "precision": "f32"} if case.options else {}
        network = case.network
        module = network.clone() if case.inputs is not None else nopt.read(network, diagnostics=Diagnostics())
        inputs = case.inputs
        if inputs is None:
            shapes = {name: tuple(x.type.get_shape()) for name, x in arguments(module, options).items()}
            rng = np.random.default_rng(0)
            inputs = {name: rng.random((SAMPLES, case.ticks, *shape)) < DENSITY for name, shape in shapes.items()}
        yield case, module, {"given": inputs, "choices": options}


def graph_of(module: Any, options: Any) -> NetworkOp:
    from nopt.api.running.run import discretise

    return discretise(module, options, Diagnostics())


def arguments(module: Any, options: Any) -> dict[str, Any]:
    return dict(Records(graph_of(module, options)).arguments)


def compare(shared: Path, count: int, only: str) -> int:
    """Runs all networks on all usable engines of this interpreter, and returns the exit code."""
    usable = [one for one in nopt.engines() if one.name != "numpy"]
    for one in usable:
        where = ", ".join(f"{device.name} ({device.interface})" for device in one.devices)
        print(f"{one.name}: {one.version}; {where}" if one.is_usable else f"skipped: {one.name}: {one.reason}")
    names = [one.name for one in usable if one.is_usable]
    totals, failed = {name: Counter[str]() for name in names}, list[str]()
    for case, module, given in networks(shared, count, only):
        wanted = nopt.execute(
            module, given["given"], engine="numpy", choices=given["choices"], diagnostics=Diagnostics()
        )
        is_real = has_reals(graph_of(module, given["choices"]))
        for name in names:
            total = totals[name]
            try:
                found = nopt.execute(
                    module, given["given"], engine=name, choices=given["choices"], diagnostics=Diagnostics()
                )
            except Refused as refusal:
                total["refused"] += 1
                print(f"{case.name:32} {name:8} refused: {refusal.findings[0].message}", flush=True)
                continue
            size = sum(values.size for values in wanted.arrays.values())
            differ = sum(different_entries(found.arrays[at], values) for at, values in wanted.arrays.items())
            total.update(networks=1, equal=int(not differ), entries=size, different=differ)
            total["different reals"] += differ if is_real else 0
            line = f"{differ} of {size} entries differ; {found.seconds:.3f} s"
            print(f"{case.name:32} {name:8} {line}", flush=True)
            if differ > (MOST * size if is_real else 0):
                failed.append(f"{case.name} on {name}: {line}")
    for name, total in totals.items():
        print(
            f"{name}: {total['networks']} networks, {total['equal']} equal in every bit, {total['refused']} refused; "
            f"{total['different']} of {total['entries']} entries differ, {total['different reals']} of them in networks of reals"
        )
    for line in failed:
        print(f"failed: {line}")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--environment", type=Path, required=True)
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--inside", action="store_true", help="run in this interpreter, which has the packages")
    args = parser.parse_args()
    if args.inside:
        return compare(args.shared, args.networks, args.only)
    python = environment(args.environment)
    if isinstance(python, str):
        print(f"skipped: {python}")
        python = Path(sys.executable)
    with tempfile.TemporaryDirectory() as cache:
        command = [python, Path(__file__).parent, *sys.argv[1:], "--inside"]
        return subprocess.run(command, env={**variables(), "XDG_CACHE_HOME": cache}).returncode


if __name__ == "__main__":
    sys.exit(main())

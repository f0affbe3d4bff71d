"""Learns the digits of `glyphs.py` with several seeds, in numbers of the network and on models of chips, by commands of nopt, and prints the accuracies.

    python examples/glyphs/compare.py --seeds 3 --devices loihi2/loihi1,spinnaker/spinn5

A chip learns the stream in its own numbers. The learnt weights are then compiled for the same chip without the rule, and its model classifies.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).parent / "glyphs.py"
RULE = "a_plus=0.04,a_minus=0.028,tau_plus=0.01,tau_minus=0.03,w_min=0,w_max=1"
CHOICES = ("--dt", "1ms", "--like", "norse")


def call(folder: Path, *command: str) -> str:
    """Runs a command, and returns its output."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def nopt(folder: Path, *words: str) -> str:
    return call(folder, sys.executable, "-m", "nopt", *words)


def score(folder: Path, network: str, *choices: str) -> str:
    """Classifies all samples with a network, and returns the accuracy, and that with shuffled classes."""
    for name in ("train", "test"):
        given = ("--axes", "samples,ticks", "--input", f"{name}.npy", "-o", f"{name}.npz")
        nopt(folder, "run", network, *given, *choices)
    line = call(folder, sys.executable, str(SCRIPT), "score", "train.npz", "test.npz")
    right, chance = (word.strip(",\n") for word in line.split() if word.rstrip(",\n").endswith("%"))
    return f"{right} ({chance})"


def learnt(folder: Path, source: str, *choices: str) -> str:
    """Shows the stream to a network or a build, and returns the file of the network with the learnt weights."""
    nopt(folder, "run", source, "--input", "stream.npy", "--save-weights", "weights.npz", "-o", "run.npz", *choices)
    nopt(folder, "import-weights", "net.nir", "weights.npz", "-o", "trained.nir")
    return "trained.nir"


def accuracies(folder: Path, seed: int, devices: list[str]) -> list[str]:
    """Returns the accuracies before and after learning, and after learning on each device."""
    call(folder, sys.executable, str(SCRIPT), "make", str(seed))
    rule = f'nir-set-plasticity{{nodes=fc rule=stdp entries="{RULE}"}}'
    nopt(folder, "net.nir", "-p", rule, "-o", "learns.mlir")
    found = [score(folder, "net.nir", *CHOICES)]
    found.append(score(folder, learnt(folder, "learns.mlir", *CHOICES), *CHOICES))
    for number, device in enumerate(devices):
        fitted = ("--target", device, *CHOICES, "--approximate", "loops,plasticity,reset")
        nopt(folder, "compile", "learns.mlir", *fitted, "-o", f"learning{number}")
        trained = learnt(folder, f"learning{number}")
        nopt(folder, "compile", trained, *fitted, "-o", f"fixed{number}")
        found.append(score(folder, f"fixed{number}"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--devices", default="", help="devices that learn, such as loihi2/loihi1,spinnaker/spinn5")
    args = parser.parse_args()
    devices = [one for one in args.devices.split(",") if one]
    print("accuracy, and in parentheses with shuffled classes")
    print(" | ".join(["seed", "untrained", "learnt", *devices]))
    for seed in range(1, args.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            print(" | ".join([str(seed), *accuracies(Path(folder), seed, devices)]), flush=True)


if __name__ == "__main__":
    main()

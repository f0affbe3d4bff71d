"""Writes models of NESTML for goldens, each a change of cell.nestml: `python wrong_nestml.py FOLDER`."""

import sys
from pathlib import Path

CELL = Path(__file__).with_name("cell.nestml").read_text(encoding="utf-8")
CHANGES = {
    "syntax": ("V_m mV = E_L", "V_m mV = = E_L"),
    "loop": ("            integrate_odes(V_m)", "            while V_m > 0 mV:\n                V_m = 0 mV"),
    "random": ("    V_m = E_L\n", "    V_m = random_normal(0, 1)\n"),
    "vector": ("refr_t ms = 0 ms", "refr_t ms = 0 ms\n        w[3] mV = 0 mV"),
    "odes": ("            integrate_odes(V_m)", "            integrate_odes(V_n)"),
    "name": ("V_m >= V_th", "V_n >= V_th"),
    "unit": ("tau_m ms = 10 ms [[tau_m > 0 ms]]", "tau_m msec = 10 ms"),
    "deep": ("C_m pF = 250 pF", "C_m pF = " + "(" * 300 + "250 pF" + ")" * 300),
    "synapse": (
        "    output:\n        spike",
        "    output:\n        spike".replace("output", "internals").replace("spike", "z real = 1"),
    ),
    "several": (
        "    output:\n        spike",
        "    output:\n        spike\n\nmodel other_neuron:\n    output:\n        spike",
    ),
    "kernel": ("exp(-t / tau_syn)\n        kernel slow", "1 / (1 + t / tau_syn)\n        kernel slow"),
    "event": ("    onCondition(refr_t", "    onReceive(kick):\n        V_m = E_L\n\n    onCondition(refr_t"),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (old, new) in CHANGES.items():
        assert CELL.count(old) == 1, name
        (folder / f"{name}.nestml").write_text(CELL.replace(old, new), encoding="utf-8")

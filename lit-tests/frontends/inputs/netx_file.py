"""Writes a file in the layout of Lava's netx: netx_file.py FILE [CASE]. Each case has another mistake."""

import sys

import h5py
import numpy as np

FILE, CASE = sys.argv[1], (sys.argv[2:] or [""])[0]


def add(file, number, kind, shape, neuron=(1024, 128, 60), **entries):
    layer = file.create_group(f"layer/{number}")
    layer.create_dataset("type", (1,), "S10", [kind.encode()])
    layer.create_dataset("shape", data=np.array(shape))
    for name, value in entries.items():
        layer.create_dataset(name, data=np.array(value))
    if neuron is not None:
        layer.create_dataset("neuron/type", (1,), "S10", [b"SDNN" if CASE == "neuron" else b"CUBA"])
        for name, value in zip(("iDecay", "vDecay", "vThMant"), neuron, strict=True):
            layer.create_dataset(f"neuron/{name}", data=value)


with h5py.File(FILE, "w") as file:
    kernel = 2 * (np.arange(2 * 1 * 3 * 3).reshape(2, 1, 3, 3) % 7 - 3)
    window = {"stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "groups": 1}
    if CASE == "stride":
        window["stride"] = [2, 2]
    if CASE == "image":
        add(file, 0, "conv", [2, 9, 4], weight=kernel, **(window | {"padding": [9, 1]}))
    else:
        add(file, 0, "conv", [2, 4, 4], weight=kernel, **window)
    add(file, 1, "pool" if CASE == "pool" else "flatten", [32], neuron=None)
    dense = 2 * (np.arange(3 * 32).reshape(3, 32) % 11 - 5)
    if CASE == "shape":
        dense = dense[:, :31]
    if CASE == "fraction":
        dense = dense + 0.5
    if CASE == "sum":
        dense = 0 * dense + 30000
    decays = (5000, 128, 60) if CASE == "decay" else (4096, 200, 20)
    more = {"delay": [0, 2, -1 if CASE == "delay" else 1], "bias": [0, 1, 5000 if CASE == "bias" else -1]}
    add(file, 2, "dense", [0] if CASE == "empty" else [3], decays, weight=dense, **more)
    if CASE == "threshold":
        del file["layer/2/neuron/vThMant"]
    if CASE == "late-input":
        add(file, 3, "input", [3])
    if CASE == "gap":
        file.move("layer/2", "layer/5")
    if CASE == "link":
        file["layer/2/weight2"] = h5py.ExternalLink("other.h5", "weight")
    if CASE == "huge":
        del file["layer/2/weight"]
        file.create_dataset("layer/2/weight", (2**20, 2**20), np.int64, chunks=(64, 64))

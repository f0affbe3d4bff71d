"""A mock of BrainChip's akida 2.19.3: the classes and calls that the scripts of an artefact use, with the equations of its layers, tap by tap.

It keeps the calls in `calls.json` of the current folder. Maps are [frames, h, w, c].
"""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

Padding = Enum("Padding", "Valid Same")
PoolType = Enum("PoolType", "NoPooling Max Average")
ActivationType = Enum("ActivationType", "NoActivation ReLU")
LayerType = Enum("LayerType", "InputData Conv2D InputConv2D DepthwiseConv2D Dense1D")
CALLS: list[str] = []
NUMBERS = {
    "padding": {0: Padding.Valid, 1: Padding.Same},
    "pool_type": {0: PoolType.NoPooling, 1: PoolType.Max, 2: PoolType.Average},
}
"""The values of parameters that are numbers in the JSON form."""


def call(text: str) -> None:
    CALLS.append(text)
    Path("calls.json").write_text(json.dumps(CALLS), encoding="utf-8")


class LayerParams:
    def __init__(self, layer_type: LayerType, parameters: dict[str, Any]):
        known = {name: NUMBERS.get(name, {}).get(value, value) for name, value in parameters.items()}
        self.kind, self.options = layer_type.name, known


class Layer:
    """A layer: its kind, its parameters and its arrays."""

    def __init__(self, parameters: LayerParams, name: str):
        self.name, self.kind, self.options = name, parameters.kind, parameters.options
        self.arrays: dict[str, np.ndarray] = {}
        self.mapping = None

    def set_variable(self, name: str, values: np.ndarray) -> None:
        self.arrays[name] = np.array(values)

    def pair(self, name: str) -> tuple[int, int]:
        value = self.options[name]
        return (value, value) if isinstance(value, int) else tuple(value)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if self.kind == "InputData":
            return x
        sums = self.dense(x) if self.kind in ("FullyConnected", "Dense1D") else self.convolution(x)
        return self.activated(sums)

    def dense(self, x: np.ndarray) -> np.ndarray:
        is_second = self.kind == "Dense1D"
        order = (0, 1, 2, 3) if is_second else (0, 3, 2, 1)  # (h, w, c) or (c, w, h)
        flat = x.transpose(order).reshape(len(x), -1)
        weights = self.arrays["weights"].reshape(flat.shape[1], -1).astype(np.int64)
        return self.biased(flat @ weights)[:, None, None]

    def biased(self, sums: np.ndarray) -> np.ndarray:
        bias = self.arrays.get("bias")
        return sums if bias is None else sums + (bias.astype(np.int64) << self.arrays["bias_shift"].astype(np.int64))

    def convolution(self, x: np.ndarray) -> np.ndarray:
        kernels, is_image = self.arrays["weights"].astype(np.int64), self.kind.startswith("Input")
        is_channelwise = self.kind in ("SeparableConvolutional", "DepthwiseConv2D")
        stride = self.pair("kernel_stride")
        sums: Any = 0
        for (i, j), part in self.taps(x, kernels.shape[:2], stride, 0):
            tap = kernels[i, j] if is_image else kernels[-1 - i, -1 - j]
            sums = sums + (part * tap[:, 0] if is_channelwise else part @ tap)
        if "weights_pw" in self.arrays:
            sums = sums @ self.arrays["weights_pw"][0, 0].astype(np.int64)
        sums, pool = self.biased(sums), self.options["pool_type"]
        if pool is PoolType.Average:
            positive = sums if "act_bits" in self.options else np.maximum(sums, 0)
            return positive.sum(axis=(1, 2), keepdims=True)
        if pool is PoolType.Max:
            least = np.iinfo(np.int64).min
            sums = np.max(
                [part for _, part in self.taps(sums, self.pair("pool_size"), self.pair("pool_stride"), least)], 0
            )
        return sums

    def taps(self, x: np.ndarray, size: tuple[int, ...], stride: tuple[int, int], fill: int) -> list[Any]:
        """Returns the part of a map that each tap of a window reads."""
        margins = [(0, 0), (0, 0)]
        counts = [(n - k) // s + 1 for n, k, s in zip(x.shape[1:3], size, stride, strict=True)]
        if self.options["padding"] is Padding.Same:
            counts = [-(-n // s) for n, s in zip(x.shape[1:3], stride, strict=True)]
            missing = [
                max((m - 1) * s + k - n, 0) for n, k, s, m in zip(x.shape[1:3], size, stride, counts, strict=True)
            ]
            margins = [(n // 2, n - n // 2) for n in missing]
        whole = np.pad(x, [(0, 0), *margins, (0, 0)], constant_values=fill)
        (high, wide), (down, right) = counts, stride
        return [
            ((i, j), whole[:, i : i + down * (high - 1) + 1 : down, j : j + right * (wide - 1) + 1 : right])
            for i in range(size[0])
            for j in range(size[1])
        ]

    def activated(self, sums: np.ndarray) -> np.ndarray:
        if self.options["activation"] in (False, 0, ActivationType.NoActivation):
            return sums
        if "act_step" in self.arrays:
            bits = self.options["act_bits"]
            level = self.arrays["act_step"].astype(np.float64) * 2 ** (4 - bits)
            return np.clip(np.ceil((sums - self.arrays["threshold"]) / level), 0, 2**bits - 1).astype(np.int64)
        shift = self.arrays["output_shift"].astype(np.int64)  # to the right, if negative
        scaled = np.maximum(sums, 0) * self.arrays["output_scales"].astype(np.int64)
        half = np.where(shift < 0, 1 << np.maximum(-shift - 1, 0), 0)
        most = {4: 15, 8: 127}[self.options["output_bits"]]
        return np.minimum((scaled + half) >> np.maximum(-shift, 0), most)


def maker(kind: str) -> Any:
    def make(name: str, weights_bits: int = 8, **options: Any) -> Layer:
        return Layer(LayerParams(SimpleNamespace(name=kind), {"weights_bits": weights_bits, **options}), name)

    return make


(
    FullyConnected,
    Convolutional,
    SeparableConvolutional,
    InputConvolutional,
    Conv2D,
    InputConv2D,
    DepthwiseConv2D,
    Dense1D,
) = map(
    maker,
    [
        "FullyConnected",
        "Convolutional",
        "SeparableConvolutional",
        "InputConvolutional",
        "Conv2D",
        "InputConv2D",
        "DepthwiseConv2D",
        "Dense1D",
    ],
)


class Model:
    """A chain of layers."""

    def __init__(self, layers: list[Layer] | None = None):
        self.layers, self.sequences = list(layers or ()), []

    def add(self, layer: Layer) -> None:
        self.layers.append(layer)

    def get_layer(self, name: str) -> Layer:
        return next(layer for layer in self.layers if layer.name == name)

    def forward(self, x: np.ndarray) -> np.ndarray:
        if x.dtype != np.uint8:
            raise ValueError(f"inputs are uint8, found {x.dtype}")
        values = x.astype(np.int64)
        for layer in self.layers:
            values = layer(values)
        return values

    def map(self, device: object, *, hw_only: bool, mode: object = None) -> None:
        call(f"map {device} hw_only={hw_only}")

    def save(self, path: str) -> None:
        call(f"save {path}")


mapping = SimpleNamespace(MapMode=SimpleNamespace(Minimal="minimal"))


def device_type(name: str) -> Any:
    return lambda: name


AKD1000, AKD1500, TwoNodesIPv1, TwoNodesIPv2, FourNodesIPv2, SixNodesIPv2, TwelveNodesIPv2 = map(
    device_type,
    ["AKD1000", "AKD1500", "TwoNodesIPv1", "TwoNodesIPv2", "FourNodesIPv2", "SixNodesIPv2", "TwelveNodesIPv2"],
)


def devices() -> list[str]:
    """Returns the boards: those that the file `boards` of the current folder names."""
    path = Path("boards")
    return path.read_text().split() if path.exists() else []

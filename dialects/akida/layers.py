"""Layers of an Akida model of version 1, in the words and the layout of the vendor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from .layer_bases import DenseBase, LayerBase, NpBase, WindowBase
from .parts import ACT_BITS, HRC, STEPS, WEIGHTS, refuse_layer

LEARNED = (
    "num_weights",
    "num_classes",
    "initial_plasticity",
    "learning_competition",
    "min_plasticity",
    "plasticity_decay",
)
"""Parameters of `AkidaUnsupervised`, in the vendor's order."""


@irdl_op_definition
class NpOp(NpBase):
    """A part of a layer on one neural processor."""

    name = "akida.np"


class LayerOp(LayerBase):
    """Base of the layers of version 1.

    Without `act_bits` the layer produces its potentials. With them: `y = clip(ceil((potential - threshold) / step), 0, 2^act_bits - 1)`,
    `step = act_step 2^(4 - act_bits)`, exactly. act_step is a multiple of 1/16: the vendor's tool rounds others down.

    Shapes: threshold and act_step [filters].
    """

    RANGES: ClassVar[dict[int, tuple[int, int]]] = WEIGHTS
    ACT_BITS: ClassVar[tuple[int, ...]] = ACT_BITS
    ACTIVATION: ClassVar[Mapping[str, type[np.generic]]] = {"threshold": np.int32, "act_step": np.float32}
    threshold = opt_prop_def(ArrayAttr)
    act_step = opt_prop_def(ArrayAttr)

    def verify_activation(self) -> None:
        super().verify_activation()
        steps = self.act_step.values if self.act_step is not None else np.ones(1)
        if not (np.isfinite(steps).all() and (steps > 0).all() and (steps * STEPS % 1 == 0).all()):
            found = next(step for step in steps.tolist() if not (0 < step < np.inf and step * STEPS % 1 == 0))
            refuse_layer(self, "act_step is out of range", f"positive multiples of 1/{STEPS}", f"{found:g}")


class WindowLayerOp(WindowBase, LayerOp):
    """Base of layers with a window."""


@irdl_op_definition
class ConvolutionalOp(WindowLayerOp):
    """Convolution in the strict sense: the kernel is mirrored. Shapes: weights [kh, kw, c, f]."""

    TYPE: ClassVar[str] = "Convolutional"
    name = "akida.convolutional"


@irdl_op_definition
class InputConvolutionalOp(WindowLayerOp):
    """Convolution of the network's input of 8 bits, by the block for it: a correlation, whose kernel is not mirrored.

    Shapes: weights [kh, kw, c, f].
    """

    TYPE: ClassVar[str] = "InputConvolutional"
    FUNCTIONS: ClassVar[tuple[str, ...]] = (HRC,)
    name = "akida.input_convolutional"


@irdl_op_definition
class SeparableConvolutionalOp(WindowLayerOp):
    """A convolution of each channel by its kernel, then of all channels at each point. Kernels are mirrored.

    Shapes: weights [kh, kw, c, 1], weights_pw [1, 1, c, f].
    """

    TYPE: ClassVar[str] = "SeparableConvolutional"
    name = "akida.separable_convolutional"
    weights_pw = prop_def(ArrayAttr)

    @property
    def filters(self) -> int:
        return self.weights_pw.shape[3]

    def stored_weights(self) -> dict[str, AnyArray]:
        return {"weights": self.weights.values, "weights_pw": self.weights_pw.values}

    def weight_axes(self) -> Mapping[str, tuple[int | str, ...]]:
        channels = self.shape[2]
        return {"weights": ("kh", "kw", channels, 1), "weights_pw": (1, 1, channels, "filters")}


@irdl_op_definition
class FullyConnectedOp(DenseBase, LayerOp):
    """Dense layer. Its inputs are in the order (c, w, h): h changes first.

    `learning` holds the parameters of `AkidaUnsupervised`; the rule by which weights change is not published.

    Shapes: weights [1, 1, inputs, units]; learning [6]: the parameters in the vendor's order.
    """

    TYPE: ClassVar[str] = "FullyConnected"
    name = "akida.fully_connected"
    learning = opt_prop_def(ArrayAttr)

    @property
    def learned(self) -> dict[str, float] | None:
        """Returns the parameters of learning by name; None without."""
        if self.learning is None:
            return None
        return dict(zip(LEARNED, self.learning.values.tolist(), strict=True))

    def weight_axes(self) -> Mapping[str, tuple[int | str, ...]]:
        return {"weights": (1, 1, self.inputs, "units")}

    def verify_parameters(self) -> None:
        if self.learning is not None and (
            self.learning.shape != (len(LEARNED),) or self.learning.data.dtype != np.float32
        ):
            expected = f"{len(LEARNED)} numbers of f32: {', '.join(LEARNED)}"
            refuse_layer(self, "learning has another shape", expected, str(list(self.learning.shape)))

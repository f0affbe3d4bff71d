"""Writes models of ONNX for goldens: `python onnx_models.py FOLDER NAME …`."""

import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, UINT8, INT8 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8
ZERO, SIGNED_ZERO = np.uint8(0), np.int8(0)
WEIGHT = np.array([[1, -2], [3, 4], [-5, 6]], np.int8)


def node(op, inputs, output, **attributes):
    if op.startswith(("QG", "QLinearA", "QLinearG", "QLinearConcat")):
        attributes["domain"] = "com.microsoft"
    return helper.make_node(op, inputs, [output], name=attributes.pop("name", f"{output}_node"), **attributes)


def model(
    nodes, constants=(), shape=("N", 2), outputs=("y",), dtype=FLOAT, out=FLOAT, sizes=("N", 3), opset=17, **parts
):
    """Returns a model with the input x; constants are pairs of name and values."""
    given = [helper.make_tensor_value_info("x", dtype, shape)]
    results = [helper.make_tensor_value_info(name, out, sizes) for name in outputs]
    arrays = [numpy_helper.from_array(np.asarray(values), name) for name, values in constants]
    graph = helper.make_graph(nodes, "g", given, results, arrays)
    sets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    found = helper.make_model(graph, opset_imports=sets, **parts)
    found.ir_version = 8
    return found


def qdq(value, name, scale=0.5, zero=ZERO):
    """Returns the nodes and constants that quantise a value, as `NAME.q` and `NAME.d`."""
    parts = [f"{name}.s", f"{name}.z"]
    nodes = [
        node("QuantizeLinear", [value, *parts], f"{name}.q", name=f"{name}.quantise"),
        node("DequantizeLinear", [f"{name}.q", *parts], f"{name}.d", name=f"{name}.dequantise"),
    ]
    return nodes, [(parts[0], np.float32(scale)), (parts[1], zero)]


def stored(name, values, scale=0.25, zero=SIGNED_ZERO, **attributes):
    """Returns the node and constants of stored weights, as `NAME`."""
    parts = [(f"{name}.q", values), (f"{name}.s", np.float32(scale)), (f"{name}.z", zero)]
    return [node("DequantizeLinear", [key for key, _ in parts], name, **attributes)], parts


def join(*parts):
    return [one for nodes, _ in parts for one in nodes], [one for _, constants in parts for one in constants]


def dense(last=(), zero=ZERO, weights=None, relu=True):
    """Returns x -> quantise -> fc -> relu -> quantise."""
    value = "r" if relu else "h"
    nodes, constants = join(
        qdq("x", "x"),
        weights or stored("w", WEIGHT),
        ([node("Gemm", ["x.d", "w", "b"], "h", name="fc", transB=1)], []),
        stored("b", np.array([8, 0, -8], np.int32), 0.125, np.int32(0)),
        ([node("Relu", ["h"], "r", name="relu")] if relu else [], []),
        qdq(value, "a", 2.0, zero),
    )
    order = ["w", "b"]
    nodes.sort(key=lambda one: one.output[0] not in order)
    return [*nodes, *last], constants


def quantised():
    nodes, constants = dense([node("Identity", ["a.d"], "y")])
    return model(nodes, constants)


def integers():
    nodes, constants = dense(zero=np.uint8(128), relu=False)
    return model(nodes, constants, outputs=["a.q"], out=UINT8)


def channels():
    weight = [("w.q", WEIGHT), ("w.s", np.float32([0.25, 0.5, 1])), ("w.z", np.zeros(3, np.int8))]
    parts = [node("DequantizeLinear", [key for key, _ in weight], "w", axis=0)], weight
    nodes, constants = join(
        parts,
        qdq("x", "x"),
        ([node("Gemm", ["x.d", "w", "b"], "h", name="fc", transB=1)], [("b", np.float32([1, 0, -1]))]),
        qdq("h", "a", 2.0),
    )
    return model([*nodes, node("Identity", ["a.d"], "y")], constants)


def summed():
    nodes, constants = join(
        qdq("x", "x"),
        stored("w", np.int8([[1, 2], [3, 4]])),
        ([node("MatMul", ["x.d", "w"], "h", name="fc")], []),
        qdq("h", "a", 0.75, np.int8(0)),
        ([node("Add", ["a.d", "x.d"], "t", name="skip")], []),
        qdq("t", "c", 1.0),
    )
    return model(nodes, constants, outputs=["c.q"], out=UINT8, sizes=("N", 2))


def maps(*more, shape=("N", 1, 4, 4), outputs=("y",), sizes=None, constants=(), **parts):
    weight = np.arange(18, dtype=np.float32).reshape(2, 1, 3, 3) / 8
    given = [("w", weight), ("b", np.float32([1, -1])), *constants]
    nodes = [node("Conv", ["x", "w", "b"], "h", name="conv", pads=[1, 1, 1, 1], **parts), *more]
    return model(nodes, given, shape, outputs, sizes=sizes)


def reals():
    norm = [(f"n{k}", np.float32(values)) for k, values in enumerate(([1, 2], [0, 1], [0, 0], [1, 4]))]
    return maps(
        node("BatchNormalization", ["h", "n0", "n1", "n2", "n3"], "n", name="norm", epsilon=0.0),
        node("Clip", ["n", "low", "high"], "c", name="clip"),
        node("MaxPool", ["c"], "m", name="max", kernel_shape=[2, 2], strides=[2, 2]),
        node("Transpose", ["m"], "t", perm=[0, 1, 2, 3]),
        node("GlobalAveragePool", ["t"], "p", name="mean"),
        node("Flatten", ["p"], "f", name="flat"),
        node("MatMul", ["f", "v"], "g", name="fc"),
        node("Add", ["g", "c0"], "y", name="bias"),
        sizes=("N", 2),
        constants=[
            *norm,
            ("low", np.float32(0)),
            ("high", np.float32(6)),
            ("v", np.float32([[1, 2], [3, 4]])),
            ("c0", np.float32([0.5, -0.5])),
        ],
    )


def squeezed():
    return maps(
        node("GlobalAveragePool", ["h"], "p", name="mean"),
        node("Squeeze", ["p", "map"], "s", name="squeeze"),
        node("Unsqueeze", ["s", "last"], "u", name="unsqueeze"),
        node("Squeeze", ["u"], "t", name="again"),
        node("MatMul", ["t", "v"], "y", name="fc"),
        sizes=("N", 2),
        constants=[("map", np.array([2, -1])), ("last", np.array([-1])), ("v", np.float32([[1, 2], [3, 4]]))],
    )


def op(name, inputs=("x",), **attributes):
    constants = attributes.pop("constants", ())
    parts = {
        key: attributes.pop(key) for key in ("shape", "sizes", "dtype", "out", "opset", "outputs") if key in attributes
    }
    return model([node(name, [*inputs], "y", name="one", **attributes)], constants, **parts)


def external():
    found = op("Gemm", ["x", "w"], transB=1, constants=[("w", WEIGHT.astype(np.float32))])
    tensor = found.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")
    return found


def oversized(name="FLOAT", dims=(1 << 20, 1 << 20), data=b""):
    found = op("Gemm", ["x", "w"], constants=[("w", WEIGHT.astype(np.float32))])
    tensor = found.graph.initializer[0]
    tensor.raw_data, tensor.data_type = data, TensorProto.DataType.Value(name)
    tensor.dims[:] = dims
    return found


def loop():
    nodes = [
        node("Add", ["x", "b"], "a", name="first"),
        node("Relu", ["a"], "b", name="second"),
        node("Identity", ["b"], "y"),
    ]
    return model(nodes, sizes=("N", 2))


def branch():
    body = helper.make_graph(
        [node("Identity", ["x"], "z")], "body", [], [helper.make_tensor_value_info("z", FLOAT, ["N", 2])]
    )
    return model(
        [node("If", ["c"], "y", name="choice", then_branch=body, else_branch=body)],
        [("c", np.array(True))],
        sizes=("N", 2),
    )


def function():
    found = op("Relu", sizes=("N", 2))
    found.functions.append(
        helper.make_function(
            "own", "twice", ["a"], ["b"], [node("Add", ["a", "a"], "b")], [helper.make_opsetid("", 17)]
        )
    )
    return found


def twice():
    return model([node("Relu", ["x"], "y", name="one"), node("Relu", ["x"], "y", name="two")], sizes=("N", 2))


def stored_pool():
    nodes, constants = qdq("x", "x")
    return model([nodes[0], node("Relu", ["x.q"], "y", name="relu")], constants, sizes=("N", 2))


def axis_scale():
    parts = [("s", np.float32([1, 2])), ("z", np.zeros(2, np.uint8))]
    return op("QuantizeLinear", ["x", "s", "z"], constants=parts, out=UINT8, sizes=("N", 2))


def wide():
    nodes, constants = join(
        qdq("x", "x", 0.5, np.uint16(0)),
        stored("w", np.full((3, 2), 32767, np.int16), 0.25, np.int16(0)),
        ([node("Gemm", ["x.d", "w"], "h", name="fc", transB=1)], []),
        qdq("h", "a"),
    )
    return model([*nodes, node("Identity", ["a.d"], "y")], constants, opset=21)


def operators():
    """Returns quantised() in the operator format, with maps before: a scale of 0.5 for inputs, sums times 0.5 * 0.25."""
    zero = ("z", ZERO)
    scales = [(f"s{k}", np.float32(value)) for k, value in enumerate((0.5, 0.25, 2.0))]
    kernel = np.array([1, 2, -1, 3], np.int8).reshape(4, 1, 1, 1)
    nodes = [
        node("QuantizeLinear", ["x", "s0", "z"], "q", name="x.quantise"),
        node("QLinearConv", ["q", "s0", "z", "k", "s1", "sz", "s0", "z", "kb"], "c", name="conv"),
        node("QLinearAveragePool", ["c", "s0", "z", "s0", "z"], "p", name="pool", kernel_shape=[1, 2], strides=[1, 2]),
        node("QLinearGlobalAveragePool", ["p", "s0", "z", "s0", "z"], "g", name="mean"),
        node("Flatten", ["g"], "f", name="flat"),
        node("QLinearMatMul", ["f", "s0", "z", "m", "s1", "sz", "s0", "z"], "h", name="mat"),
        node("QLinearConcat", ["s0", "z", "f", "s0", "z", "h", "s0", "z"], "j", name="join", axis=1),
        node("QLinearAdd", ["j", "s0", "z", "j", "s0", "z", "s2", "z"], "t", name="skip"),
        node("QGemm", ["t", "s2", "z", "w", "s1", "sz", "wb", "s2", "z"], "a", name="fc", transB=1),
        node("QGemm", ["a", "s2", "z", "v", "s1", "sz"], "y", name="out", transB=1),
    ]
    more = [("sz", SIGNED_ZERO), ("k", kernel), ("kb", np.int32([8, 0, 0, -8])), ("m", np.eye(4, 2, dtype=np.int8))]
    more += [("w", np.ones((3, 6), np.int8)), ("wb", np.int32([8, 0, -8])), ("v", np.eye(3, dtype=np.int8))]
    return model(nodes, [zero, *scales, *more], shape=("N", 1, 2, 2), opset=12)


def joined():
    return model(
        [
            node("Gemm", ["x", "w", "b"], "h", name="fc", transB=1),
            node("Relu", ["h"], "r", name="relu"),
            node("Concat", ["x", "r"], "j", name="join", axis=-1),
            node("Gemm", ["j", "v"], "y", name="out"),
        ],
        [("w", WEIGHT.astype(np.float32)), ("b", np.zeros(3, np.float32)), ("v", np.ones((5, 3), np.float32))],
    )


def older():
    """Returns maps as exporters of PyTorch wrote them for version 9."""
    found = maps(
        node("Clip", ["h"], "c", name="clip", min=0.0, max=6.0),
        node("Pad", ["c"], "d", name="pad", pads=[0, 0, 0, 1, 0, 0, 0, 0], mode="constant"),
        node("Pad", ["d"], "e", name="nothing", pads=[0] * 8),
        node("ReduceMean", ["e"], "m", name="mean", axes=[2, 3], keepdims=1),
        node("Shape", ["m"], "s0"),
        node("Constant", [], "zero", value=numpy_helper.from_array(np.array(0), "v")),
        node("Gather", ["s0", "zero"], "s1", axis=0),
        node("Unsqueeze", ["s1"], "s2", axes=[0]),
        node("Concat", ["s2", "rest"], "s3", axis=0),
        node("Reshape", ["m", "s3"], "f", name="view"),
        node("MatMul", ["f", "v"], "y", name="fc"),
        sizes=("N", 2),
        constants=[("rest", np.array([-1])), ("v", np.float32([[1, 2], [3, 4]]))],
    )
    found.opset_import[0].version = 9
    return found


def signed():
    """Returns a layer of counts, one of integers with a sign, and a last one."""
    nodes, constants = join(
        dense([node("MatMul", ["a.d", "v"], "g", name="signed")]),
        qdq("g", "g", 1.0, np.int8(0)),
        ([node("MatMul", ["g.d", "v"], "l", name="last")], []),
        qdq("l", "l", 1.0, np.int8(0)),
        ([node("Identity", ["l.d"], "y")], []),
    )
    weight, more = stored("v", np.eye(3, dtype=np.int8))
    return model([*weight, *nodes], [*constants, *more])


def computed_pads():
    """Returns maps that `F.pad(x, (1, 0, 0, 0))` pads, as exporters of PyTorch write it: pads of the last axis first, then turned."""
    return maps(
        node("ConstantOfShape", ["rest"], "p0", value=numpy_helper.from_array(np.array([0]), "v")),
        node("Concat", ["ends", "p0"], "p1", axis=0),
        node("Reshape", ["p1", "pairs"], "p2"),
        node("Slice", ["p2", "last", "first", "axis", "last"], "p3"),
        node("Transpose", ["p3"], "p4", perm=[1, 0]),
        node("Reshape", ["p4", "last"], "p5"),
        node("Cast", ["p5"], "p6", to=TensorProto.INT64),
        node("Pad", ["h", "p6", ""], "y", name="pad"),
        sizes=("N", 2, 4, 5),
        constants=[
            ("rest", np.array([4])),
            ("ends", np.array([1, 0, 0, 0])),
            ("pairs", np.array([-1, 2])),
            ("last", np.array([-1])),
            ("first", np.array([-(2**63) + 1])),
            ("axis", np.array([0])),
        ],
    )


def concat_of(*inputs, **attributes):
    constants = [("c", np.ones((1, 2), np.float32)), ("w", np.ones((3, 2), np.float32)), ("i", np.array(0))]
    return op("Concat", inputs, constants=constants, sizes=None, **attributes)


NORM = [(f"n{k}", np.ones(2, np.float32)) for k in range(4)]
SCALED = [("s", np.float32(0.5)), ("z", ZERO)]
MODELS = {
    "quantised": quantised,
    "integers": integers,
    "channels": channels,
    "summed": summed,
    "reals": reals,
    "squeezed": squeezed,
    "squeezed_samples": lambda: op("Squeeze", ["x", "axes"], constants=[("axes", np.array([0]))], sizes=None),
    "squeezed_wide": lambda: op("Squeeze", ["x", "axes"], constants=[("axes", np.array([1]))], sizes=None),
    "external": external,
    "oversized": oversized,
    "short": lambda: oversized(dims=(3, 2), data=bytes(8)),
    "half": lambda: oversized("FLOAT16", (3, 2), bytes(12)),
    "loop": loop,
    "branch": branch,
    "function": function,
    "twice": twice,
    "softmax": lambda: op("Softmax", sizes=("N", 2)),
    "sigmoid": lambda: op("Tanh", sizes=("N", 2)),
    "integer_conv": lambda: op(
        "MatMulInteger", ["x", "w"], constants=[("w", np.ones((2, 3), np.uint8))], dtype=UINT8, out=TensorProto.INT32
    ),
    "operators": operators,
    "joined": joined,
    "older": older,
    "signed": signed,
    "computed_pads": computed_pads,
    "sliced": lambda: op(
        "Slice", ["c", "n", "n", "n"], constants=[("c", np.ones(2)), ("n", np.array([3]))], sizes=None
    ),
    "join_samples": lambda: concat_of("x", "x", axis=0),
    "join_constant": lambda: concat_of("x", "c", axis=1),
    "padded_ones": lambda: op("Pad", opset=9, pads=[0, 1, 0, 0], value=1.0, sizes=None),
    "padded_edges": lambda: op("Pad", opset=9, pads=[0, 1, 0, 0], mode="edge", sizes=None),
    "gathered": lambda: op("Gather", ["x", "i"], constants=[("i", np.array(0))], axis=1, sizes=None),
    "dynamic_scale": lambda: op("DynamicQuantizeLinear", outputs=("y",), out=UINT8, sizes=None),
    "short_concat": lambda: op("QLinearConcat", ["s", "z", "x"], constants=SCALED, axis=1, sizes=None),
    "real_bias": lambda: op(
        "QLinearConv",
        ["x", "s", "z", "w", "s", "z", "s", "z", "b"],
        constants=[*SCALED, ("w", np.ones((1, 1, 1, 1), np.uint8)), ("b", np.float32([1]))],
        shape=("N", 1, 4, 4),
        dtype=UINT8,
        sizes=None,
    ),
    "old": lambda: op("Relu", sizes=("N", 2), opset=7),
    "dynamic": lambda: op("Relu", shape=("N", "C", 4), sizes=("N", "C", 4)),
    "ceiling": lambda: op("MaxPool", shape=("N", 1, 5, 5), kernel_shape=[2, 2], ceil_mode=1, sizes=None),
    "excluded": lambda: op("AveragePool", shape=("N", 1, 4, 4), kernel_shape=[2, 2], pads=[1, 1, 0, 0], sizes=None),
    "moved": lambda: op("Transpose", shape=("N", 4, 4, 3), perm=[0, 3, 1, 2], sizes=None),
    "scaled": lambda: op("Gemm", ["x", "w"], transB=1, alpha=2.0, constants=[("w", WEIGHT.astype(np.float32))]),
    "sizes": lambda: op("Gemm", ["x", "w"], constants=[("w", WEIGHT.astype(np.float32))]),
    "computed": lambda: op("MatMul", ["x", "x"], sizes=("N", 2)),
    "lonely": lambda: op("BatchNormalization", ["x", "n0", "n1", "n2", "n3"], constants=NORM, sizes=("N", 2)),
    "relu_of_stored": stored_pool,
    "axis_scale": axis_scale,
    "negative_scale": lambda: op(
        "QuantizeLinear", ["x", "s"], constants=[("s", np.float32(-1))], out=UINT8, sizes=("N", 2)
    ),
    "wide": wide,
    "truth": lambda: op("Identity", dtype=TensorProto.BOOL, out=TensorProto.BOOL, sizes=("N", 2)),
    "constant": lambda: op("Identity", ["c"], constants=[("c", np.ones(2, np.float32))], sizes=("N", 2)),
    "huge": lambda: op(
        "Conv",
        ["x", "w"],
        shape=("N", 1, 4, 4),
        constants=[("w", np.ones((1, 1, 1, 1), np.float32))],
        pads=[0, 0, 1 << 30, 1 << 30],
        sizes=None,
    ),
    "samples": lambda: op("Reshape", ["x", "s"], constants=[("s", np.array([4, 1]))], sizes=None),
    "clip": lambda: op("Clip", ["x", "low"], constants=[("low", np.float32(-1))], sizes=("N", 2)),
}


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        found = MODELS[name]()
        (folder / f"{name}.onnx").write_bytes(found.SerializeToString())
        if name == "quantised":
            data = found.SerializeToString()
            (folder / "cut.onnx").write_bytes(data[: len(data) // 2])
            (folder / "empty.onnx").write_bytes(b"\x08\x08\x12\x00")


if __name__ == "__main__":
    main()

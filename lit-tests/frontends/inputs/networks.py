"""Writes `.nir` files of the goldens into a folder: good networks, and networks with one thing wrong.

python networks.py FOLDER NAME...  (`cut` is a part of `every`, which has to be named, too)
"""

import sys
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np

folder, wanted = Path(sys.argv[1]), set(sys.argv[2:])
folder.mkdir(parents=True, exist_ok=True)
text = h5py.string_dtype()


def put(group, items):
    """Dictionaries as groups, strings as text, everything else as an array with the type that it has."""
    for name, value in items.items():
        if isinstance(value, dict):
            put(group.create_group(name), value)
        elif isinstance(value, str):
            group.create_dataset(name, data=value, dtype=text)
        else:
            group.create_dataset(name, data=value)


def graph(nodes, edges, **more):
    """Edges as text: "a>b b>c"; a name with a blank has to be given as pairs."""
    pairs = [edge.split(">") for edge in edges.split()] if isinstance(edges, str) else edges
    rows = np.array(pairs, object) if pairs else np.zeros(0)
    return {"type": "NIRGraph", "nodes": nodes, "edges": rows, **more}


def write(name, root, version="1.0.8"):
    if name not in wanted:
        return
    with h5py.File(folder / f"{name}.nir", "w") as file:
        file.create_dataset("version", data=version, dtype=text)
        group = file.create_group("node")
        edges = [(group, root)]
        while edges:
            here, data = edges.pop()
            plain = {key: value for key, value in data.items() if key not in ("nodes", "edges")}
            put(here, plain)
            if "edges" in data:
                rows = data["edges"]
                here.create_dataset("edges", data=rows, dtype=text if rows.dtype.hasobject else None)
            if "nodes" in data:
                nodes = here.create_group("nodes")
                for key, node in data["nodes"].items():
                    if isinstance(node, dict):
                        edges.append((nodes.create_group(key), node))
                    else:
                        nodes.create_dataset(key, data=node)


def f32(*values):
    return np.array(values, np.float32)


def full(shape, value):
    return np.full(shape, value, np.float32)


def end(type, *shape):
    return {"type": type, "shape": np.array(shape, np.int64)}


def lif(shape, **more):
    ones = {"tau": 0.02, "r": 1.0, "v_leak": 0.0, "v_threshold": 1.0, "v_reset": 0.0}
    return {"type": "LIF", **{name: full(shape, value) for name, value in ones.items()}, **more}


def cuba(type, shape):
    ones = {"tau_syn": 0.005, "tau_mem": 0.02, "r": 1.0, "v_leak": 0.0, "w_in": 1.0}
    if type == "CubaLIF":
        ones |= {"v_threshold": 1.0, "v_reset": 0.0}
    return {"type": type, **{name: full(shape, value) for name, value in ones.items()}}


def linear(outputs, inputs, value=0.5):
    return {"type": "Linear", "weight": full((outputs, inputs), value)}


def affine(outputs, inputs):
    return {"type": "Affine", "weight": full((outputs, inputs), 0.5), "bias": full(outputs, 0.25)}


def conv(rank, weight, **more):
    one = np.int64(1)
    given = {"stride": one, "padding": np.int64(0), "dilation": one, "groups": one, "bias": full(weight[0], 0.0)}
    return {"type": f"Conv{rank}d", "weight": full(weight, 0.5), **given, **more}


def pool(type, kernel, stride):
    return {
        "type": type,
        "kernel_size": np.array(kernel),
        "stride": np.array(stride),
        "padding": np.zeros(2, np.int64),
    }


CHAIN = {"input": end("Input", 3), "fc": linear(2, 3), "lif": lif(2), "output": end("Output", 2)}
CHAIN_EDGES = "input>fc fc>lif lif>output"

# ---- good networks

# Every primitive, with what the nir package infers wrongly: groups, a kernel that is not square, a stride for each axis.
every = {
    "image": end("Input", 2, 7, 9),
    "conv2d": conv(2, (4, 1, 3, 5), stride=np.array([2, 1]), groups=np.int64(2), input_shape=np.array([7, 9])),
    "if": {"type": "IF", "r": full((4, 3, 5), 1.0), "v_threshold": full((4, 3, 5), 1.0)},
    "sum_pool2d": pool("SumPool2d", [2, 2], [1, 1]),
    "avg_pool2d": pool("AvgPool2d", [1, 2], [2, 2]),
    "flatten": {"type": "Flatten", "start_dim": np.int64(0), "end_dim": np.int64(-1)},
    "affine": affine(3, 8),
    "cuba_li": cuba("CubaLI", 3),
    "sound": end("Input", 1, 6),
    "conv1d": conv(1, (3, 1, 3), padding="same"),
    "threshold": {"type": "Threshold", "threshold": full((3, 6), 0.5)},
    "identity": {"type": "Identity", "shape": np.array([3, 6])},
    "linear": {"type": "Linear", "weight": full((3, 1, 6), 1.0)},
    "scale": {"type": "Scale", "scale": full((3, 1), 2.0)},
    "squeeze": {"type": "Flatten", "start_dim": np.int64(0), "end_dim": np.int64(-1), "input_type": np.array([3, 1])},
    "i": {"type": "I", "r": full(3, 1.0)},
    "delay": {"type": "Delay", "delay": np.array([0.0, 0.001, 0.002])},
    "lif": lif(3),
    "cuba_lif": cuba("CubaLIF", 3),
    "li": {"type": "LI", "tau": full(3, 0.01), "r": full(3, 1.0), "v_leak": full(3, 0.0)},
    "values": end("Output", 3),
    "spikes": end("Output", 3),
}
every_edges = (
    "image>conv2d conv2d>if if>sum_pool2d sum_pool2d>avg_pool2d avg_pool2d>flatten flatten>affine affine>cuba_li "
    "sound>conv1d conv1d>threshold threshold>identity identity>linear linear>scale scale>squeeze squeeze>i "
    "cuba_li>lif i>delay delay>lif lif>cuba_lif cuba_lif>spikes cuba_lif>li li>values"
)
write("every", graph(every, every_edges))
write("shuffled", graph(dict(sorted(every.items(), reverse=True)), " ".join(reversed(every_edges.split()))))

# A nested graph with a loop in it, in a loop with the graph around it.
inner = graph(
    {"in": end("Input", 2), "lif": lif(2), "w": linear(2, 2), "out": end("Output", 2)},
    "in>lif lif>w w>lif lif>out",
    metadata={"note": "recurrent"},
)
outer = {"input": end("Input", 2), "block": inner, "back": linear(2, 2), "output": end("Output", 2)}
write("nested", graph(outer, "input>block block>back back>block block>output"))

# Everything that metadata can be.
chain = {key: dict(node) for key, node in CHAIN.items()}
chain["input"]["metadata"] = {"unit": "mV"}
chain["fc"]["metadata"] = {"nothing": h5py.Empty(np.float32), "phase": np.complex64(1)}
chain["lif"]["metadata"] = {"trained": {"epochs": np.int64(3), "loss": f32(0.5, 0.25)}, "by": "me"}
write("metadata", graph(chain, CHAIN_EDGES, metadata={"author": "Jürgen", "seed": np.int64(7)}), version="0.2.0")

# Names as people write them.
names = {"my input": end("Input", 1), 'lif "1"': lif(1), "größe 漢": linear(1, 1), "1_2": end("Output", 1)}
write("a name", graph(names, [["my input", "größe 漢"], ["größe 漢", 'lif "1"'], ['lif "1"', "1_2"]]))

# Ends that are not there, and a name that is taken.
write("ends", graph({"input_fc": lif(2), "fc": linear(2, 3)}, "fc>input_fc"))

# Shapes that the file does not declare.
unsaid = {"input": {"type": "Input"}, "fc": linear(2, 3), "flat": {"type": "Flatten"}, "output": {"type": "Output"}}
unsaid["flat"] |= {"start_dim": np.int64(0), "end_dim": np.int64(-1)}
write("unsaid", graph(unsaid, "input>fc fc>flat flat>output"))

# ---- files that are no networks

(folder / "text.nir").write_text("this is text\n")
if "cut" in wanted:
    (folder / "cut.nir").write_bytes((folder / "every.nir").read_bytes()[:1000])
with h5py.File(folder / "other.nir", "w") as file:
    file.create_dataset("weights", data=f32(1, 2))
write("layer", lif(2))

# ---- nodes

write("type", graph({**CHAIN, "lif": lif(2, type="LIFF")}, CHAIN_EDGES))
write("no_type", graph({**CHAIN, "lif": {"tau": f32(1)}}, CHAIN_EDGES))
write("missing", graph({**CHAIN, "lif": {"type": "LIF", "tau": full(2, 0.1), "r": full(2, 1.0)}}, CHAIN_EDGES))
write("stray", graph({**CHAIN, "lif": lif(2, v_treshold=full(2, 1.0))}, CHAIN_EDGES))
write("no_edges", {"type": "NIRGraph", "nodes": CHAIN})
write("complex", graph({**CHAIN, "fc": {"type": "Linear", "weight": np.ones((2, 3), complex)}}, CHAIN_EDGES))
write("word", graph({**CHAIN, "lif": lif(2, tau="fast")}, CHAIN_EDGES))
write("uneven", graph({**CHAIN, "lif": lif(2, tau=full(3, 0.1))}, CHAIN_EDGES))
write("sizes", graph({**CHAIN, "input": {"type": "Input", "shape": f32(1.5)}}, CHAIN_EDGES))
write("dataset", graph({**CHAIN, "lif": 3}, CHAIN_EDGES))
write("pairs", {"type": "NIRGraph", "nodes": CHAIN, "edges": np.zeros((2, 3))})
write("numbers", {"type": "NIRGraph", "nodes": CHAIN, "edges": np.zeros((1, 2))})
deep = CHAIN["fc"]
for _ in range(70):
    deep = graph({"i": end("Input", 3), "n": deep, "o": end("Output", 2)}, "i>n n>o")
write("deep", deep)

# ---- edges

strange = {**CHAIN, "lif_1": CHAIN["lif"], "lif_2": CHAIN["lif"]}
write("stranger", graph(strange, "input>fc fc>lif_l lif_l>output fc>lif lif>output"))
write("foreigner", graph({**CHAIN, "other": CHAIN["lif"]}, "input>fc fc>lif_l lif_l>output fc>lif lif>output"))
write("twice", graph(CHAIN, CHAIN_EDGES + " fc>lif"))
write("wrong_side", graph(CHAIN, CHAIN_EDGES + " lif>input output>fc"))
write("alone", graph({**CHAIN, "lone": lif(2), "in2": end("Input", 1), "out2": end("Output", 1)}, CHAIN_EDGES))
write("ring", graph({"a": linear(2, 2), "b": lif(2)}, "a>b b>a"))
write("empty", graph({}, ""))
two_in = graph({"a": end("Input", 2), "b": end("Input", 2), "lif": lif(2), "o": end("Output", 2)}, "a>lif b>lif lif>o")
two_out = graph(
    {"i": end("Input", 2), "lif": lif(2), "a": end("Output", 2), "b": end("Output", 2)}, "i>lif lif>a lif>b"
)
halves = {"x": end("Input", 2), "two in": two_in, "two out": two_out, "y": end("Output", 2)}
write("several", graph(halves, [["x", "two in"], ["two in", "two out"], ["two out", "y"]]))

# ---- shapes

write("declared_input", graph({**CHAIN, "input": end("Input", 1)}, CHAIN_EDGES))
write("declared_output", graph({**CHAIN, "output": end("Output", 4)}, CHAIN_EDGES))
image = {"input": end("Input", 1, 6, 7), "conv": conv(2, (2, 1, 3, 3)), "output": end("Output", 40)}
image["flat"] = {"type": "Flatten", "start_dim": np.int64(0), "end_dim": np.int64(-1)}
image_edges = "input>conv conv>flat flat>output"
turned = {**image, "conv": conv(2, (2, 1, 3, 3), input_shape=np.array([7, 6]))}
write("declared_inside", graph(turned, image_edges))
turned = {**image, "flat": {**image["flat"], "input_type": np.array([2, 5, 4])}}
write("declared_flatten", graph(turned, image_edges))
meet = {"input": end("Input", 3), "a": linear(2, 3), "b": linear(4, 3), "lif": lif(2), "output": end("Output", 2)}
write("meet", graph(meet, "input>a input>b a>lif b>lif lif>output"))
large = {"input": end("Input", 10**12), "lif": lif(()), "output": end("Output", 10**12)}
write("scalars", graph(large, "input>lif lif>output"))
rows = {
    "input": end("Input", 4, 5),
    "fc": {"type": "Linear", "weight": full((4, 3, 5), 1.0)},
    "output": end("Output", 4, 3),
}
rows_edges = "input>fc fc>lif lif>output"
write("rows", graph({**rows, "lif": lif(3, tau=f32(0.01, 0.02, 0.03))}, rows_edges))
channels = {
    "input": end("Input", 2, 8, 8),
    "first": conv(2, (3, 2, 3, 3), input_shape=np.array([8, 8])),
    "lif": lif(3, tau=f32(0.01, 0.02, 0.03)),
    "again": conv(2, (3, 3, 3, 3)),
    "flat": {"type": "Flatten", "start_dim": np.int64(0), "end_dim": np.int64(-1), "input_type": np.array([3, 4, 4])},
    "fc": linear(2, 48),
    "output": end("Output", 2),
}
channels_edges = "input>first first>lif lif>again again>flat flat>fc fc>output"
write("channels_twice", graph(channels, channels_edges))
write(
    "channels_output",
    graph({**dict(list(channels.items())[:3]), "output": end("Output", 3, 6, 6)}, "input>first first>lif lif>output"),
)
write("channels_and_more", graph({**channels, "fc": linear(2, 47), "output": end("Output", 5)}, channels_edges))
size = {
    **channels,
    "first": conv(2, (3, 2, 3, 3), input_shape=np.array([9, 9])),
    "lif": lif((3, 6, 6), tau=full((3, 6, 6), 0.01)),
}
write("image_size", graph(size, channels_edges))
write(
    "small",
    graph(
        {"input": end("Input", 1, 2, 2), "conv": conv(2, (2, 1, 3, 3)), "output": end("Output", 2, 1, 1)},
        "input>conv conv>output",
    ),
)
write(
    "unknown",
    graph(
        {"input": {"type": "Input"}, "pool": pool("SumPool2d", [2, 2], [2, 2]), "output": {"type": "Output"}},
        "input>pool pool>output",
    ),
)
many = {**CHAIN, "lif": lif(2, tau=f32(0.1, 0.0)), "fc2": linear(2, 4), "output": end("Output", 3)}
write("many", graph(many, "input>fc fc>lif lif>fc2 fc2>output"))

# ---- repairs

alike = graph(
    {"in": end("Input", 2), "lif1": lif(2), "w": linear(2, 2), "out": end("Output", 2)},
    "in>lif lif>w w>lif lif>out",
)
outer = {"input": end("Input", 2), "block": alike, "x_out": end("Output", 2)}
write("alike", graph(outer, "input>block block>output"))
batch = {"input": end("Input", 1, 5, 3), "output": end("Output", 1, 5, 2)}
write("batch", graph({**CHAIN, **batch}, CHAIN_EDGES))
write("other_input", graph({**CHAIN, "input": end("Input", 4)}, CHAIN_EDGES))
pooled = {
    "input": end("Input", 1, 2, 4, 4),
    "pool": pool("SumPool2d", [2, 2], [2, 2]),
    "output": end("Output", 2, 2, 2),
}
write("batch_of_images", graph(pooled, "input>pool pool>output"))
grey = {"input": end("Input", 4, 4), "conv": conv(2, (2, 1, 3, 3)), "output": end("Output", 2, 2, 2)}
write("grey", graph(grey, "input>conv conv>output"))
inner = graph({"in": end("Input", 4), "lif": lif(2), "out": end("Output", 1, 2)}, "in>lif lif>out")
write("inner_input", graph({**CHAIN, "lif": inner}, CHAIN_EDGES))
inner = graph(
    {"in": end("Input", 4), "fire": {"type": "Threshold", "threshold": full((), 0.5)}, "out": end("Output", 2)},
    "in>fire fire>out",
)
write("inner_declared", graph({**CHAIN, "lif": inner}, CHAIN_EDGES))
write("single", graph({**CHAIN, "lif": lif(())}, CHAIN_EDGES))
one = {"tau": full((), 0.02), "r": full(1, 1.0), "v_leak": full(1, 0.0)}
write("unequal", graph({**CHAIN, "lif": lif(2, **one), "fc": affine(2, 3) | {"bias": f32(0.5)}}, CHAIN_EDGES))
channels = {name: full((2, 1, 1), value) for name, value in {"r": 1.0, "v_threshold": 1.0, "v_reset": 0.0}.items()}
image = {"input": end("Input", 2, 2, 2), "if": {"type": "IF", **channels}, "output": end("Output", 2, 2, 2)}
write("channels", graph(image, "input>if if>output"))
write("equal_rows", graph({**rows, "lif": lif(3)}, rows_edges))
leading = {"r": full((1, 2, 2, 2), 1.0), "v_threshold": np.arange(1, 9, dtype=np.float32).reshape(1, 2, 2, 2)}
image = {"input": end("Input", 1, 2, 3, 3), "conv": conv(2, (2, 2, 2, 2)), "output": end("Output", 1, 2, 2, 2)}
image |= {
    "delay": {"type": "Delay", "delay": full((1, 2, 1, 1), 0.001)},
    "scale": {"type": "Scale", "scale": full((2, 2), 2.0)},
}
image |= {"if": {"type": "IF", **leading}, "fire": {"type": "Threshold", "threshold": full((1, 2, 2), 0.5)}}
write("leading", graph(image, "input>conv conv>if if>delay delay>scale scale>fire fire>output"))
biased = affine(2, 3) | {"bias": np.array([[0.25, 0.5]], np.float32)}
image = {
    "input": end("Input", 2, 3),
    "conv": conv(1, (3, 2, 3), bias=f32(1, 2, 3).reshape(3, 1)),
    "output": end("Output", 3, 1),
}
write(
    "biases",
    graph(
        {**CHAIN, "fc": biased, "sound": image["input"], "conv": image["conv"], "end": image["output"]},
        CHAIN_EDGES + " sound>conv conv>end",
    ),
)
old = {name: value for name, value in lif(2).items() if name != "v_reset"}
write("old", graph({**CHAIN, "lif": old}, CHAIN_EDGES), version="0.1.1")
layers = [f"lif{k}" for k in range(6)]
path = ["input", *layers, "output"]
edges = " ".join(f"{a}>{b}" for a, b in pairwise(path))
write("old_layers", graph({"input": end("Input", 2), **dict.fromkeys(layers, old), "output": end("Output", 2)}, edges))
counted = dict(zip("0123", CHAIN.values(), strict=True))
write("counted", {"type": "NIRGraph", "nodes": counted, "edges": np.array([[0, 1], [1, 2], [2, 3]])})
write("named_ends", graph({"fc": linear(2, 3), "lif": lif(2)}, CHAIN_EDGES))
flat = {"type": "Flatten", "start_dim": np.int64(1), "end_dim": np.int64(-1)}
image = {"input": end("Input", 2, 4, 4), "flat": flat, "fc": linear(2, 32), "output": end("Output", 2)}
write("samples", graph(image, "input>flat flat>fc fc>output"))


# ---- files with values that are not trusted


def change(name, damage, root=None):
    """A good file, and then something done to it."""
    write(name, root or graph(CHAIN, CHAIN_EDGES))
    if name not in wanted:
        return
    with h5py.File(folder / f"{name}.nir", "r+") as file:
        damage(file)


def weight(file, **more):
    """Other values for the weights."""
    del file["node/nodes/fc/weight"]
    file["node/nodes/fc"].create_dataset("weight", dtype="f4", **more)


def link(target):
    def damage(file):
        del file["node/nodes/fc/weight"]
        file["node/nodes/fc/weight"] = target

    return damage


def endless(file):
    file["node/nodes/lif/metadata"] = file["node"]


def many_groups(file):
    for number in range(50):
        file.create_group(f"node/metadata/{number}")


def nest(file):
    group = file["node"]
    for _ in range(1000):
        group = group.create_group("metadata" if group.name == "/node" else "m")


change("enormous", lambda file: weight(file, shape=(2**17, 2**17), chunks=(64, 64)))
change("chunk", lambda file: weight(file, shape=(2, 3), maxshape=(None, None), chunks=(2**15, 2**14)))
change("external", lambda file: weight(file, shape=(2, 3), external=[("/etc/passwd", 0, 24)]))
change("other_file", link(h5py.ExternalLink("/etc/passwd", "weight")))
change("circle", link(h5py.SoftLink("/node/nodes/fc/weight")))
change("endless", endless)
change("many_groups", many_groups)
change("nested_notes", nest)
change("mixed", link(np.zeros(2, [("a", "f4"), ("b", "i4")])))
bytes_name = {"type": "NIRGraph", "nodes": CHAIN, "edges": np.array([[b"in\xffput", b"fc"]])}
write("bytes", bytes_name)

if unknown := wanted - {path.stem for path in folder.glob("*.nir")}:
    sys.exit(f"no networks {' '.join(sorted(unknown))}")

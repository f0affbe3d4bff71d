"""Writes the JSON graphs of the goldens into a folder: `net.json` of this folder with one thing changed, and files of arrays.

python graphs.py FOLDER
"""

import json
import os
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
(folder / "weights").mkdir(parents=True, exist_ok=True)
net = json.loads(Path(__file__).with_name("net.json").read_text())


def write(name, change):
    graph = deepcopy(net)
    change(graph["nodes"], graph)
    (folder / f"{name}.json").write_text(json.dumps(graph))


def weight(name, value):
    write(name, lambda nodes, graph: nodes["fc"].update(weight=value))


def stored(name, file, dtype="float32", shape=(1, 2)):
    weight(name, {"dtype": dtype, "shape": shape, "file": file})


# ---- arrays

np.save(folder / "weights" / "fc.npy", np.array([[0.5, -0.0]], np.float32))
np.save(folder / "turned.npy", np.asfortranarray(np.array([[1, 2], [3, 4]], ">f8")))
(folder / "text.npy").write_text("hello")
whole = (folder / "weights" / "fc.npy").read_bytes()
(folder / "cut.npy").write_bytes(whole[:-2])
np.save(folder.parent / "outside.npy", np.ones((1, 2), np.float32))
(folder / "link.npy").unlink(missing_ok=True)
os.symlink(folder.parent / "outside.npy", folder / "link.npy")

stored("file", "weights/fc.npy")
two = {key: value * 2 for key, value in net["nodes"]["lif"].items() if key != "type"}
turned = {"dtype": "float64", "shape": [2, 2], "file": "turned.npy"}
write("turned", lambda nodes, graph: (nodes["fc"].update(weight=turned), nodes["lif"].update(two)))
for number, path in enumerate(("../outside.npy", "/outside.npy", "link.npy", "weights", "none.npy", "a\\b.npy", 5)):
    stored(f"path{number}", path)
stored("format", "weights/fc.npy", dtype="float64")
stored("shape", "weights/fc.npy", shape=[2, 1])
stored("cut", "cut.npy")
stored("text", "text.npy")
stored("large", "weights/fc.npy", shape=[2**30, 2**30])
weight("ragged", [[1, 2], [3]])
weight("word", [[1, "2"]])
weight("nan", [[1, float("nan")]])
weight("infinite", {"dtype": "float16", "shape": [1, 2], "values": [[1, 70000]]})
weight("range", {"dtype": "int8", "shape": [1, 2], "values": [[1, 300]]})
weight("bool", {"dtype": "bool", "shape": [1, 2], "values": [[True, 1]]})
weight("sizes", {"dtype": "float33", "shape": [1, -2], "values": [[1, 2]]})
weight("keys", {"type": "float32", "shape": [1, 2], "values": [[1, 2]]})

# ---- documents

write("form", lambda nodes, graph: graph.update(nodes={"a": 3, "b": {"type": None}}, edges=[["a"], ["a", 1]], nodez={}))
write("lists", lambda nodes, graph: graph.update(nodes=[], edges={}, metadata=[], name=1))
write("schema", lambda nodes, graph: graph.update(schema="nopt.graph/2"))
write("tau", lambda nodes, graph: nodes["lif"].update(tau=[0]))
write("stray", lambda nodes, graph: nodes["lif"].update(v_treshold=[1]))
write("stranger", lambda nodes, graph: graph["edges"].append(["fc", "lif 1"]))
write("declared", lambda nodes, graph: nodes["output"].update(shape=[3]))
write("ends", lambda nodes, graph: (nodes.pop("output"), graph["edges"].pop()))
inner = {key: net[key] for key in ("nodes", "edges")}
nested = {"type": "NIRGraph", **deepcopy(inner)}
nested["nodes"]["lif"]["tau"] = [0]
write(
    "nested",
    lambda nodes, graph: (
        nodes.update({"my block": nested}),
        graph.update(edges=[["input", "my block"], ["my block", "output"]]),
        nodes.pop("fc"),
        nodes.pop("lif"),
    ),
)
(folder / "twice.json").write_text(
    '{"schema": "nopt.graph/1", "nodes": {"x": {"type": "Input", "type": "Output"}}, "edges": []}'
)
(folder / "cut.txt").write_text((Path(__file__).with_name("net.json").read_text())[:150])
(folder / "deep.json").write_text(
    '{"schema": "nopt.graph/1", "nodes": '
    + '{"n": {"type": "NIRGraph", "edges": [], "nodes": ' * 70
    + "{}"
    + "}}" * 70
    + ', "edges": []}'
)
(folder / "deeper.json").write_text('{"schema": ' + "[" * 100_000)
(folder / "digits.json").write_text('{"schema": ' + "1" * 10_000 + "}")
(folder / "other.json").write_text('{"name": "something else"}')
with open(folder / "large.json.txt", "w") as file:
    file.write('{"schema"')
    file.truncate(2**24 + 1)

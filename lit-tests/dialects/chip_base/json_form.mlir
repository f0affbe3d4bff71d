// The parts of a chip in a file for a target whose format is its vendor's.
// RUN: rm -rf %t && nopt compile %S/../../targets/xylo/inputs/net.mlir --target xylo --dt 1ms --like snntorch --reset subtract -p 'ntensor-legalize{device="xylo/audio2" approximate=comparison,reset}' -o %t > %t.txt
// RUN: filecheck %s < %t/artefact/chip.json
// CHECK: "inputs": [{"name": "x/0", "input": "x", "type": "tensor<3xi1>", "core": 0, "index": {"type": "i32", "shape": [3], "values": [0, 1, 2]}
// CHECK: "outputs": [{"name": "y", "population": "two", "type": "tensor<2xi1>", "delay": {"type": "i64", "shape": [], "values": [0]}}]

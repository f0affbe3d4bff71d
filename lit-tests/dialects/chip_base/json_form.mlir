// Inputs, outputs and axons have the same members in each target.
// RUN: nopt %S/../asic/inputs/chip.mlir -t asic | filecheck %s
// CHECK:      "inputs": [
// CHECK-NEXT:   {
// CHECK-NEXT:    "name": "input/0",
// CHECK-NEXT:    "input": "input",
// CHECK-NEXT:    "type": "tensor<2xi1>",
// CHECK-NEXT:    "core": 0,
// CHECK-NEXT:    "index": {
// CHECK-NEXT:     "type": "i32",
// CHECK:         "neuron": {
// CHECK:         "core": {
// CHECK:         "axon": {
// CHECK:         "name": "lif1/0",
// CHECK-NEXT:    "population": "lif1",
// CHECK:      "outputs": [
// CHECK-NEXT:   {
// CHECK-NEXT:    "name": "output",
// CHECK-NEXT:    "population": "lif1",

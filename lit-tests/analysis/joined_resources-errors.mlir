// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%S/../passes/plan/inputs/small.json", machine.set = ["topology.cores=1", "topology.mesh.width=1", "topology.mesh.height=1", "core.input_axons=9", "core.shared.gains.classes=3"]}@' 's@"hid" \@lif(%a) {@"hid" \@lif(%a) {machine.boxes = #nopt.array<[[[0, 3]], [[3, 6]]] : tensor<2x1x2xi64>>, @' 's@"last" \@lif(%b) {@"last" \@lif(%b) {machine.boxes = #nopt.array<[[[0, 2]]] : tensor<1x1x2xi64>>, @' %S/../passes/plan/inputs/net.mlir | not nopt - -p convert-ntensor-to-machine,machine-place-vertices 2>&1 | filecheck %s
// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%S/../passes/plan/inputs/small.json", machine.set = ["topology.cores=1", "topology.mesh.width=1", "topology.mesh.height=1", "core.input_axons=10", "core.shared.gains.classes=3"]}@' 's@"hid" \@lif(%a) {@"hid" \@lif(%a) {machine.boxes = #nopt.array<[[[0, 3]], [[3, 6]]] : tensor<2x1x2xi64>>, @' 's@"last" \@lif(%b) {@"last" \@lif(%b) {machine.boxes = #nopt.array<[[[0, 2]]] : tensor<1x1x2xi64>>, @' 's@g = #nopt.array<1 : tensor<i8>>@g = #nopt.array<4 : tensor<i8>>@' %S/../passes/plan/inputs/net.mlir | not nopt - -p convert-ntensor-to-machine,machine-place-vertices 2>&1 | filecheck %s --check-prefix=CLASSES

// One core has 9 axons for the 10 neurons that its vertices read.
// CHECK:      error[MAP004]: the vertices do not fit on the cores of the device
// CHECK-NEXT:   at: machine.graph @net
// CHECK-NEXT:   expected: at most 1 cores that work and are free
// CHECK-NEXT:   found: 4 vertices need at least 2 for core.input_axons

// With the value 4 for "last", 4 values share 3 classes.
// CLASSES: found: 4 vertices need at least 2 for core.shared.gains.classes

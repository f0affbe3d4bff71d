// RUN: mutate 's@tick_ns = 1000}@tick_ns = 1000, machine.device = "%S/../passes/plan/inputs/small.json", machine.set = ["topology.cores=1", "topology.mesh.width=1", "topology.mesh.height=1", "core.input_axons=10", "core.shared.gains.classes=3"]}@' 's@"hid" \@lif(%a) {@"hid" \@lif(%a) {machine.boxes = #nopt.array<[[[0, 3]], [[3, 6]]] : tensor<2x1x2xi64>>, @' 's@"last" \@lif(%b) {@"last" \@lif(%b) {machine.boxes = #nopt.array<[[[0, 2]]] : tensor<1x1x2xi64>>, @' %S/../passes/plan/inputs/net.mlir | nopt - -p convert-ntensor-to-machine,machine-place-vertices | filecheck %s

// One core. Both slices of "hid" read the same 4 inputs, and "last" reads 6 neurons: 10 axons, of which the device has 10; added they are 14.
// Each slice of "hid" has the 3 values 1, 2 and 3 of a parameter, and "last" has the value 1: 3 classes of 3, added they are 7.
// CHECK:      machine.vertex "hid/0" {{.*}} input_axons = 4 {{.*}} classes.gains = 3 {{.*}} core = 0
// CHECK-NEXT: machine.vertex "hid/1" {{.*}} input_axons = 4 {{.*}} classes.gains = 3 {{.*}} core = 0
// CHECK-NEXT: machine.vertex "last/0" {{.*}} input_axons = 6 {{.*}} classes.gains = 1 {{.*}} core = 0

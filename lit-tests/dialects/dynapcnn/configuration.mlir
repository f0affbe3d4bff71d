// A configuration round-trips; the record of the device is in the last section.
// RUN: nopt %S/inputs/dynapcnn.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: nopt %S/inputs/dynapcnn.mlir | filecheck %s

// CHECK:      dynapcnn.configuration @net attributes {machine.device = #nopt.device<"dynapcnn/speck2f"
// CHECK-NEXT:   dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
// CHECK-NEXT:   dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64,
// CHECK-NEXT:   dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, {{.*}}return_to_zero, monitor_enable}
// CHECK-NEXT:   dynapcnn.output "out" of "n2" : tensor<5x2x3x!ntensor.count<16>>

// Without a device no limit is checked: a threshold of 17 bits.
// RUN: mutate 's/, machine.device = "dynapcnn.speck2f"//' 's/threshold_high = 100/threshold_high = 40000/' %S/inputs/dynapcnn.mlir | nopt - -o /dev/null

// Two populations on two cores each: both layers of the first send to both layers of the second, which read three features.
// RUN: nopt %S/inputs/dynapcnn_parts.mlir -o %t.mlir && nopt %t.mlir -o %t.again.mlir && diff %t.mlir %t.again.mlir
// RUN: filecheck %s --check-prefix=PARTS --input-file %t.mlir
// PARTS:      dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, {{.*}}destinations = {{[^}]*}}}
// PARTS-NEXT: dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, {{.*}}feature_shift = 2 : i64}
// PARTS-NEXT: dynapcnn.cnn_layer "c2" of "n2" {layer = 2 : i64, {{.*}}monitor_enable}
// PARTS-NEXT: dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, {{.*}}monitor_enable, feature_shift = 4 : i64}

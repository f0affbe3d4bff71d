// RUN: nopt %s --print-debuginfo | filecheck %s
// RUN: nopt %s --print-debuginfo > %t.a && nopt %t.a --print-debuginfo > %t.b && diff %t.a %t.b
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="loihi2/loihi1"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' --print-debuginfo | filecheck %s --check-prefix=CHIP
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="loihi2/loihi1"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' --print-debuginfo > %t.c && nopt %t.c --print-debuginfo > %t.d && diff %t.c %t.d

// A location is the name of a node and its line. The text that has it is read back with it.
// CHECK:      nir.graph @net("input" %input: tensor<2xf32> loc("input"("{{.*}}locations.mlir":21:1))) -> ("output": tensor<2xi1>) {
// CHECK:      loc("fc1"("{{.*}}locations.mlir":22:3))
// CHECK-NEXT: loc("lif1"("{{.*}}locations.mlir":23:3))
// CHECK-NOT:  loc(unknown)

// After all passes of a chip, a core has the locations of its populations, a table that of its projection, and an equation those of the populations that use it.
// CHIP-NOT:   loc(unknown)
// CHIP:       loihi2.chip @net
// CHIP:         loihi2.neuro_core
// CHIP:           loihi2.compartments "lif1/0" of "lif1"
// CHIP:             loihi2.{{dense|sparse}} "fc1" {{.*}} loc("fc1"("{{.*}}locations.mlir":22:3))
// CHIP:         } loc(fused["lif1"("{{.*}}locations.mlir":23:3), "lif2"("{{.*}}locations.mlir":25:3)])
// CHIP:         loihi2.output "output" {{.*}} loc("output"("{{.*}}locations.mlir":21:1))

nir.graph @net("input" %input: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.linear "fc1" %input {weight = #nopt.array<[[0.5, -1.0], [2.0, 0.25]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.lif "lif1" %a {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %c = nir.linear "fc2" %b {weight = #nopt.array<[[1.0, 0.5], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %d = nir.lif "lif2" %c {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %d : tensor<2xi1>
}

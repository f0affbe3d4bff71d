// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' -o %t.mlir 2>&1 | filecheck %s --check-prefix=SAID

// Synapses of 1, 3 and 2.4 ms share a delay of one tick, with 0, 2 and 1 more; the fourth has no weight, and its operand is spikes. The
// recurrent ones share a delay of 2 ms, which breaks the loop: it needs no tick of its own. 2.4 ms is off by 0.4 ms, others are exact.
// CHECK-LABEL: ntensor.network @mixed
// CHECK-NOT:     one tick on each of
// CHECK-SAME:    "delays rounded to ticks", ["w"], 0.0004000{{[0-9]*}} : f64, 0.0001333{{[0-9]*}} : f64, "s">
// CHECK-NEXT:    [[X:%.*]] = ntensor.delay "w.delay" %in {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT:    %w = ntensor.sparse_linear "w" [[X]] {weight = #nopt.array<[1.0, 2.0, 4.0] : tensor<3xf32>>, source = #nopt.array<[0, 1, 1] : tensor<3xi32>>, target = #nopt.array<[0, 0, 1] : tensor<3xi32>>, delay = #nopt.array<[0, 2, 1] : tensor<3xi64>>} : tensor<2xi1> -> tensor<2xf64>
// CHECK-NEXT:    [[Z:%.*]] = ntensor.delay "rec.delay" %cell {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT{LITERAL}: %rec = ntensor.linear "rec" %1 {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf64>
// SAID:        warning[ANA036]: a delay is not a whole number of ticks
// SAID-NEXT:     at: nir.linear "w"
// SAID-NEXT:     expected: multiples of 1 ms
// SAID-NEXT:     found: 0.0024 s, rounded with an error of 0.0004 s
// SAID-NEXT:     help: nopt {{.*}}dt-ns=200000 {{.*}}
nir.graph @mixed("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %a = nir.linear "w" %x {weight = #nopt.array<[[1.0, 2.0], [0.0, 4.0]] : tensor<2x2xf32>>, delays = #nopt.array<[[0.001, 0.003], [0.0, 0.0024]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.affine "rec" %z {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>, delays = #nopt.array<0.002 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "cell" %s {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// A recurrent synapse without delay does not break the loop. Values may be infinite, so a weight of 0 is kept; so is one that
// can learn, with its rule. The leading axis of a weight is one of both populations.
// CHECK-LABEL: ntensor.network @kept
// CHECK-SAME:    "one tick on each of {{.*}}rec
// CHECK:         ntensor.sparse_linear "values" %in {weight = #nopt.array<[1.0, 0.0, 2.0, 3.0] : tensor<4xf32>>, source = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, target = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, delay = #nopt.array<[0, 0, 0, 1] : tensor<4xi64>>}
// CHECK:         ntensor.sparse_linear "rec" {{.*}}weight = #nopt.array<[1.0, 0.0, 0.0, 4.0] : tensor<4xf32>>, {{.*}}delay = #nopt.array<[0, 1, 0, 0] : tensor<4xi64>>, plasticity = #nir.stdp<
nir.graph @kept("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %a = nir.linear "values" %x {weight = #nopt.array<[[1.0, 2.0], [0.0, 3.0]] : tensor<2x2xf32>>, delays = #nopt.array<[[0.0, 0.0], [0.0, 0.001]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.linear "rec" %z {weight = #nopt.array<[[1.0, 0.0], [0.0, 4.0]] : tensor<2x2xf32>>, delays = #nopt.array<[[0.0, 0.0], [0.001, 0.0]] : tensor<2x2xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "cell" %s {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
// CHECK-LABEL: ntensor.network @lead
// CHECK:         ntensor.sparse_linear "lead" %in {weight = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>, source = #nopt.array<[0, 2, 3] : tensor<3xi32>>, target = #nopt.array<[0, 1, 1] : tensor<3xi32>>, delay = #nopt.array<[0, 1, 0] : tensor<3xi64>>} : tensor<2x2xi1> -> tensor<2x1xf64>
nir.graph @lead("in" %x: tensor<2x2xi1>) -> ("out": tensor<2x1xf32>) {
  %a = nir.linear "lead" %x {weight = #nopt.array<[[[1.0, 0.0]], [[2.0, 3.0]]] : tensor<2x1x2xf32>>, delays = #nopt.array<[[[0.0, 0.001]], [[0.001, 0.0]]] : tensor<2x1x2xf32>>} : tensor<2x2xi1> -> tensor<2x1xf32>
  nir.output %a : tensor<2x1xf32>
}

// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=2}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}' -o %t.mlir
// RUN: python -c 'import numpy; numpy.save("%t.npy", numpy.random.default_rng(0).random((200, 8, 2)) < 0.5)'
// RUN: nopt %t.mlir -p 'ntensor-unroll-ticks{window=8}' --verify-equivalence %t.npy -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs reset=subtract options="spike_fn=multi,min_v_mem=none"},ntensor-unroll-ticks{window=2 bits=3}' | filecheck %s --check-prefix=COUNTS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-unroll-ticks{window=2 approximate=dynamics}' | filecheck %s --check-prefix=APPROXIMATED

// A recurrent layer that leaks, and one that integrates. Samples of one frame are equal; a frame keeps nothing of the one before it.
// EQUAL: ntensor-unroll-ticks{window=8}: equal

// With k = 1 ms / 4 ms = 0.25, a spike of "lif" leaves a mark of 0.75 * 2.25 = 1.6875, and its input 3 becomes 0.75 * 3 = 2.25 in the next tick. The
// bias of 0.25 lowers the threshold to 2, and in the second tick to 2 - 0.75 * 0.25. An event is passed on by the largest weight of its layer.
// CHECK-LABEL: ntensor.network @net("in" %in: tensor<2x2xi1>) -> ("out": tensor<1x!ntensor.count<2>>) attributes {tick_ns = 2000000 : i64
// CHECK-SAME:    #ntensor.approximation<"ntensor-unroll-ticks{window=2}", "2 ticks become 3 layers; every frame starts afresh", ["lif", "last"], none, none, "1">
// CHECK-SAME:    ntensor.frame_ticks = 2 : i64, ntensor.stacked_ticks
// CHECK-NEXT:    [[X:%\S+]] = ntensor.reshape "in.ticks" %in : tensor<2x2xi1> -> tensor<4xi1>
// CHECK-NEXT:    ntensor.linear "lif.t0.weights" [[X]]
// CHECK-NEXT:    ntensor.neuron "lif.t0" @activation_1({{.*}}threshold = #nopt.array<[2.0, 2.75, 1.5, 1.5, 1.5, 1.5]
// CHECK-NEXT:    ntensor.linear "last.t0+lif.t1.weights"
// CHECK-NEXT:    ntensor.neuron "last.t0+lif.t1" @activation_1({{.*}}threshold = #nopt.array<[2.0, 1.8125, 3.125, 1.5, 1.5]
// CHECK-NEXT:    ntensor.linear "last.t1.weights" {{.*}} {weight = #nopt.array<{{\[\[}}-2.0, 3.0, -2.0, 3.0, -2.0], [3.0, 0.0, 0.0, 0.0, 0.0]] : tensor<2x5xf64>>}
// CHECK-NEXT:    ntensor.neuron "last.t1" @activation_1(
// CHECK-NEXT:    ntensor.linear "out.sum" {{.*}} {weight = #nopt.array<{{\[\[}}1.0, 1.0]] : tensor<1x2xf64>>}
// CHECK-NEXT:    ntensor.neuron "last" @activation_2(
// CHECK-NEXT:    ntensor.output

// Counts of 3 bits, and a threshold that is reached at equality.
// COUNTS: ntensor.neuron "lif.t0" @activation_7(

// A reset to a value, as an approximation.
// APPROXIMATED: "2 ticks become 3 layers; every frame starts afresh; approximated: lif, last; errors of the spikes of random inputs in a tick", ["lif", "last"], 1.000000e+00 : f64
nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[3.0, -1.0], [0.5, 1.5]] : tensor<2x2xf32>>, bias = #nopt.array<[0.25, -0.5] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.sum %a, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.25 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.0, -1.0], [0.5, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = nir.linear "two" %z {weight = #nopt.array<[[3.0, -2.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = nir.if "last" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y : tensor<1xi1>
}

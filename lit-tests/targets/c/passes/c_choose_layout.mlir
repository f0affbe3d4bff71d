// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-layout' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-layout{channels-last=false margins=false sparse=0}' | filecheck %s --check-prefix=PLAIN

// Sums, states and spikes of a convolution have their channels last; the sums have a margin for the terms of events: the kernel
// of 2 reaches one position back, and with a padding of 1 before, none after. Buffers of the caller, single channels and flat sums are unchanged.
// CHECK-DAG:   c.buffer "input" #c<kind input> {node = "input", spikes} : memref<2x3x3xui8>
// CHECK-DAG:   c.buffer "conv_sums" #c<kind scratch> {layout = #c<layout channels_last>, margin = #nopt.array<{{\[\[}}1, 1], [1, 1]] : tensor<2x2xi64>>} : memref<2x3x3xf32>
// CHECK-DAG:   c.buffer "lif_v" #c<kind state> {values = #nopt.array<0.0 : tensor<f32>>, layout = #c<layout channels_last>} : memref<2x3x3xf32>
// CHECK-DAG:   c.buffer "lif" #c<kind scratch> {spikes, layout = #c<layout channels_last>} : memref<2x3x3xui8>
// CHECK-DAG:   c.buffer "fc_sums" #c<kind scratch> : memref<4xf32>
// CHECK-DAG:   c.buffer "output" #c<kind output> {node = "output"} : memref<4xf32>
// PLAIN-NOT:   channels_last
// PLAIN-NOT:   margin
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("input" %x: tensor<2x3x3xi1>) -> ("output": tensor<4xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.conv2d "conv" %x {weight = #nopt.array<constant(value = 0.5) : tensor<2x2x2x2xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 0], [1, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<2x3x3xi1> -> tensor<2x3x3xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2x3x3xf32>) -> tensor<2x3x3xi1>
  %f = ntensor.reshape "flat" %z : tensor<2x3x3xi1> -> tensor<18xi1>
  %o = ntensor.linear "fc" %f {weight = #nopt.array<constant(value = 0.5) : tensor<4x18xf32>>} : tensor<18xi1> -> tensor<4xf32>
  ntensor.output %o : tensor<4xf32>
}

// -----

// Two weights of sixteen are nonzero: four numbers store their positions. Reals might be infinite, and infinity times zero is not zero: they add the whole
// row of 2 targets then.
// CHECK-LABEL: c.program @few
// CHECK-DAG:   c.buffer "fc_start" #c<kind constant> {values = #nopt.array<[0, 0, 1, 1, 1, 1, 1, 1, 2] : tensor<9xui8>>} : memref<9xui8>
// CHECK-DAG:   c.buffer "fc_target" #c<kind constant> {values = #nopt.array<[1, 0] : tensor<2xui8>>} : memref<2xui8>
// CHECK-DAG:   c.buffer "fc_some" #c<kind constant> {values = #nopt.array<[2.0, 3.0] : tensor<2xf32>>} : memref<2xf32>
// CHECK:       c.compressed "fc"
// CHECK-NOT:   row =
// CHECK:       c.compressed "real"
// CHECK-SAME:    {finite, row = 2 : i64}
ntensor.network @few("x" %x: tensor<8xi1>, "y" %y: tensor<8xf32>) -> ("a": tensor<2xf32>, "b": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0], [0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]] : tensor<2x8xf32>>} : tensor<8xi1> -> tensor<2xf32>
  %b = ntensor.linear "real" %y {weight = #nopt.array<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0], [0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]] : tensor<2x8xf32>>} : tensor<8xf32> -> tensor<2xf32>
  ntensor.output %a, %b : tensor<2xf32>, tensor<2xf32>
}

// -----

// One weight of eight is nonzero, but 9 starts, one target and one weight need more bytes than eight weights of 8 bits.
// CHECK-LABEL: c.program @short
// CHECK:       c.rows "fc"
ntensor.network @short("x" %x: tensor<8xi1>) -> ("a": tensor<1xi32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0, 0, 0, 0, 0, 0, 0, 3]] : tensor<1x8xi8>>} : tensor<8xi1> -> tensor<1xi32>
  ntensor.output %a : tensor<1xi32>
}

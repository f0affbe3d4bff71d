// RUN: nopt %s --split-input-file -p nir-fold-identities | filecheck %s
// RUN: nopt %s --split-input-file -p 'nir-fold-identities{in-loops}' | filecheck %s --check-prefix=LOOPS
// RUN: nopt %root/examples/bars/bars.nir -p nir-fold-identities --verify-equivalence %root/examples/bars/input.npy --dt 1ms --like sinabs -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: nir-fold-identities: equal

// One node of each kind is removed: identity, delay, flatten, scale, sum.
// CHECK-LABEL: nir.graph @chain
// CHECK-NEXT: nir.output %{{.+}} : tensor<2xf32>
nir.graph @chain("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %a = nir.identity "a" %x : tensor<2xf32> -> tensor<2xf32>
  %b = nir.delay "b" %a {delay = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.flatten "c" %b {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2xf32> -> tensor<2xf32>
  %d = nir.scale "d" %c {scale = #nopt.array<[1.0, 1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %e = nir.sum %d : (tensor<2xf32>) -> tensor<2xf32>
  nir.output %e : tensor<2xf32>
}

// -----

// Nodes with an effect are kept: another shape, a delay of one neuron, a factor that is not 1, a synapse that learns, and a scale or
// sum that converts spikes to values.
// CHECK-LABEL: nir.graph @stays
// CHECK-NEXT: nir.flatten "a"
// CHECK-NEXT: nir.delay "b"
// CHECK-NEXT: nir.scale "c"
// CHECK-NEXT: nir.scale "d"
// CHECK-NEXT: nir.threshold "e"
// CHECK-NEXT: nir.scale "f"
// CHECK-NEXT: nir.sum
nir.graph @stays("input" %x: tensor<1x2xf32>) -> ("values": tensor<2xf32>, "sum": tensor<2xf32>) {
  %a = nir.flatten "a" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x2xf32> -> tensor<2xf32>
  %b = nir.delay "b" %a {delay = #nopt.array<[0.0, 0.001] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.scale "c" %b {scale = #nopt.array<[1.0, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = nir.scale "d" %c {scale = #nopt.array<1.0 : tensor<f32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xf32> -> tensor<2xf32>
  %e = nir.threshold "e" %d {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %f = nir.scale "f" %e {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
  %g = nir.sum %e : (tensor<2xi1>) -> tensor<2xf32>
  nir.output %f, %g : tensor<2xf32>, tensor<2xf32>
}

// -----

// An identity on a loop may carry the delay of the loop, so it is kept unless the option removes it; outside the loop, one is removed.
// The loop leads through a nested graph, whose nodes are on it, too.
// CHECK-LABEL: nir.graph @loop
// CHECK: nir.identity "inside"
// CHECK: nir.identity "around"
// CHECK-NOT: nir.identity
// LOOPS-LABEL: nir.graph @loop
// LOOPS-NOT: nir.identity
nir.graph @loop("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.subgraph "lif1" (%s) ("input" %in: tensor<1xf32>) -> ("output": tensor<1xi1>) {
    %i = nir.identity "inside" %in : tensor<1xf32> -> tensor<1xf32>
    %y = nir.if "if" %i {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    nir.output %y : tensor<1xi1>
  }
  %a = nir.identity "around" %z : tensor<1xi1> -> tensor<1xi1>
  %r = nir.linear "w_rec" %a {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.identity "beside" %z : tensor<1xi1> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// A pool of one element is removed. Two flattens become one if the axes that they merge follow each other: [2, 3, 4] -> [6, 4] -> [24].
// Axes that stay apart need both: [2, 3, 4, 5] -> [6, 4, 5] -> [6, 20].
// CHECK-LABEL: nir.graph @merged
// CHECK-NEXT: nir.flatten "b" %{{.+}} {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<2 : tensor<i64>>} : tensor<2x3x4xf32> -> tensor<24xf32>
// CHECK-NEXT: nir.flatten "c"
// CHECK-NEXT: nir.flatten "d"
// CHECK-NEXT: nir.output
nir.graph @merged("x" %x: tensor<2x3x4xf32>, "y" %y: tensor<2x3x4x5xf32>) -> ("ox": tensor<24xf32>, "oy": tensor<6x20xf32>) {
  %p = nir.sum_pool2d "pool" %x {kernel_size = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  %a = nir.flatten "a" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %b = nir.flatten "b" %a {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<6x4xf32> -> tensor<24xf32>
  %c = nir.flatten "c" %y {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x3x4x5xf32> -> tensor<6x4x5xf32>
  %d = nir.flatten "d" %c {start_dim = #nopt.array<1 : tensor<i64>>, end_dim = #nopt.array<2 : tensor<i64>>} : tensor<6x4x5xf32> -> tensor<6x20xf32>
  nir.output %b, %d : tensor<24xf32>, tensor<6x20xf32>
}

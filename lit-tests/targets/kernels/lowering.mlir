// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels{delivery=bitmap}' | filecheck %s --check-prefix=BITMAP
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels{delivery=events}' | filecheck %s --check-prefix=EVENTS

// A dense layer becomes a gather: the sum of each target starts from zero, and visits its sources in their order.
// CHECK:       kernels.kernel "fc_kernel" {{.*}} {workgroup = 64 : i64}
// CHECK-NEXT:    kernels.stage 2 {
// CHECK:         scf.for
// CHECK:           [[TERM:%[0-9]+]] = arith.mulf
// CHECK-NEXT:      arith.addf %{{[0-9]+}}, [[TERM]] : f32
// CHECK:         kernels.store {{.*}} : f32, memref<2xf32>
// CHECK:       kernels.kernel "fc_affine_kernel"
// CHECK:       kernels.kernel "lif_kernel"
// CHECK:       kernels.kernel "output_kernel"

// A bitmap has a word of 32 sources, in a stage before the layer.
// BITMAP:      kernels.buffer "input_bitmap" #kernels<kind scratch> : memref<1xi32>
// BITMAP:      kernels.kernel "fc_kernel" {{.*}} {
// BITMAP-NEXT:   kernels.stage 1 {
// BITMAP:          arith.shli
// BITMAP:      kernels.kernel "fc_kernel_1"

// A list of events is made by an invocation for each group of 32 sources, with the counts of all groups.
// EVENTS:      kernels.buffer "input_events" #kernels<kind scratch> : memref<3xi32>
// EVENTS:      kernels.buffer "input_count" #kernels<kind scratch> : memref<1xi32>
// EVENTS:      kernels.buffer "input_counts" #kernels<kind scratch> : memref<1xi32>
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
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// RUN: nopt %s -p convert-ntensor-to-c | filecheck %s
// RUN: nopt %s -p convert-ntensor-to-c -t c | filecheck %s --check-prefix=LOOP

// A parameter has one entry for each channel where all neurons of a channel have the same; otherwise one for each neuron.
// CHECK: c.buffer "maps_t" #c<kind constant> {values = #nopt.array<{{\[\[\[}}1.0]], {{\[\[}}2.0]]] : tensor<2x1x1xf32>>} : memref<2x1x1xf32>
// CHECK: c.buffer "rest_t" #c<kind constant> {{.*}} : memref<2x1x2xf32>
// LOOP:      for (size_t i0 = 0; i0 < 2; ++i0) {
// LOOP:          const float *restrict [[T:p[0-9]+]] = net_c_maps_t + i0;
// LOOP:          for (size_t j = 0; j < 2; ++j) {
// LOOP:              {{.*}} = [[T]][0];
// LOOP:      for (size_t j = 0; j < 4; ++j) {
// LOOP:          {{.*}} = net_c_rest_t[j];
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
ntensor.network @net("input" %x: tensor<2x1x2xf32>) -> ("a": tensor<2x1x2xi1>, "b": tensor<2x1x2xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.neuron "maps" @if.f32 (%x) {params = {t = #nopt.array<[[[1.0, 1.0]], [[2.0, 2.0]]] : tensor<2x1x2xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2x1x2xf32>) -> tensor<2x1x2xi1>
  %b = ntensor.neuron "rest" @if.f32 (%x) {params = {t = #nopt.array<[[[1.0, 1.0]], [[2.0, 3.0]]] : tensor<2x1x2xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2x1x2xf32>) -> tensor<2x1x2xi1>
  ntensor.output %a, %b : tensor<2x1x2xi1>, tensor<2x1x2xi1>
}

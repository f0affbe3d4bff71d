// The minimum and maximum of reals return NaN if either operand is NaN. The condition is in parentheses, because compilers warn of `a | b ? c : d`.
// RUN: nopt %s -t c | filecheck %s

// CHECK:      static void net_loop_lif(
// CHECK:      const float [[LOW:v[0-9]+]] = ((v0 < v1) | (v0 != v0)) ? v0 : v1;
// CHECK-NEXT: const float [[Y:v[0-9]+]] = (([[LOW]] > v1) | ([[LOW]] != [[LOW]])) ? [[LOW]] : v1;
// CHECK-NEXT: lif_v[j] = [[Y]];
ntensor.update @bounds.f32 <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32):
  %0 = arith.minimumf %x, %v : f32
  %1 = arith.maximumf %0, %v : f32
  ntensor.emit %1, %1 : f32, f32
}
ntensor.network @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @bounds.f32(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

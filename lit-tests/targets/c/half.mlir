// RUN: nopt %s -t c | filecheck %s
// RUN: nopt %s -p convert-ntensor-to-c | nopt - | filecheck %s --check-prefix=BUFFERS
// RUN: nopt compile %s --target c -o %t --format json | filecheck %s --check-prefix=REPORT
// RUN: nopt compile %s --target c -o %t -v | filecheck %s --check-prefix=SUMMARY

// Weights and states of 16 bits are stored as their bits. 1.0 is 0x3C00 in f16 and 0x3F80 in bf16, 2.5 and -0.5 are 0x4100 and 0xB800.
// The state starts at 0.25, 0x3E80 in bf16. The arithmetic stays f32. A state that was rounded is stored without a second rounding.
// CHECK:       uint16_t lif_v[2];
// CHECK:       static const uint16_t net_c_fc_weight[4] = {
// CHECK-NEXT:      15360, 16640, 47104, 15360
// CHECK:       static const uint16_t net_c_fc_bias[2] = {
// CHECK-NEXT:      16256, 16000
// CHECK:       fc_sums[o] += net_from_finite_f16(w[o]) * x;
// CHECK:       = net_from_bf16(net_c_fc_bias[j]);
// CHECK:       = net_from_bf16(lif_v[j]);
// CHECK:       const uint16_t [[BITS:v[0-9]+r]] = net_to_bf16({{v[0-9]+}});
// CHECK-NEXT:  const float [[V:v[0-9]+]] = net_from_bf16([[BITS]]);
// CHECK:       lif_v[j] = [[BITS]];
// CHECK-NEXT:  output[j] = [[V]];
// CHECK:       self->lif_v[k] = 16000;
// BUFFERS:     c.buffer "fc_weight" #c<kind constant> {values = #nopt.array<{{\[\[\[}}1.0, 2.5], [-0.5, 1.0]]] : tensor<1x2x2xf16>>} : memref<1x2x2xf16>
// BUFFERS:     c.buffer "fc_bias" #c<kind constant> {values = #nopt.array<[1.0, 0.25] : tensor<2xbf16>>} : memref<2xbf16>
// BUFFERS:     c.buffer "lif_v" #c<kind state> {values = #nopt.array<0.25 : tensor<bf16>>} : memref<2xbf16>
// REPORT:      "arithmetic": "f32",
// REPORT-NEXT: "storage": {
// REPORT-NEXT:   "weights": "f16",
// REPORT-NEXT:   "states": "bf16"
// SUMMARY:      arithmetic  f32
// SUMMARY-NEXT: storage     weights f16, states bf16
// SUMMARY-NEXT: constants   12 bytes
// SUMMARY-NEXT: state       4 bytes
ntensor.update @leak.f32 <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.25 : f32
  %1 = ntensor.round_real bf16 %0 : f32
  ntensor.initial %1 : f32
} step {
^bb0(%x: f32, %v: f32):
  %0 = arith.addf %v, %x : f32
  %1 = ntensor.round_real bf16 %0 : f32
  ntensor.emit %1, %1 : f32, f32
}
ntensor.network @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %s = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -0.5], [2.5, 1.0]] : tensor<2x2xf16>>, bias = #nopt.array<[1.0, 0.25] : tensor<2xbf16>>} : tensor<2xf32> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @leak.f32(%s) {params = {}, initial = {v = #nopt.array<0.25 : tensor<bf16>>}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

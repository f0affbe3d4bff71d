// RUN: nopt %s -t c | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c{prefix=toy alignment=32 unroll=4}' -t c | filecheck %s --check-prefix=PREFERS

// The struct with the largest elements first, a constant, a scan in words of eight, one row of weights for each event, and the neuron as one loop.
// CHECK:       typedef struct net_state {
// CHECK-NEXT:      float lif_v[2];
// CHECK-NEXT:      float fc_sums[2];
// CHECK:       } net_state;
// CHECK:       void net_step(net_state *self, const uint8_t *input, uint8_t *output);
// CHECK:       static const float net_c_fc_weight[22] = {
// CHECK:       static void net_events(const uint8_t *restrict input,
// CHECK:           for (size_t k = 0; k < 8; k += 8) {
// CHECK-NEXT:          uint64_t word;
// CHECK-NEXT:          memcpy(&word, input + k, 8);
// CHECK:           for (size_t k = 8; k < 11; ++k) {
// CHECK:       static void net_rows_fc(
// CHECK:           for (size_t k = 0; k < input_count[0]; ++k) {
// CHECK-NEXT:          const size_t p = input_events[k];
// CHECK-NEXT:          const float *restrict w = net_c_fc_weight + p * 2;
// CHECK-NEXT:          for (size_t o = 0; o < 2; ++o) {
// CHECK-NEXT:              fc_sums[o] += w[o];
// CHECK:       static void net_loop_lif(
// CHECK-NEXT:      for (size_t j = 0; j < 2; ++j) {
// CHECK-NEXT:          const float v0 = fc_sums[j];
// CHECK-NEXT:          const float v1 = lif_v[j];
// CHECK-NEXT:          const float [[NEW:v[0-9]+]] = v1 + v0;
// CHECK-NEXT:          const int [[Z:v[0-9]+]] = [[NEW]] > 1.0f;
// CHECK-NEXT:          const float [[V:v[0-9]+]] = [[Z]] ? 0.0f : [[NEW]];
// CHECK-NEXT:          lif_v[j] = [[V]];
// CHECK-NEXT:          output[j] = (uint8_t)[[Z]];
// CHECK-NEXT:          fc_sums[j] = 0;
// CHECK:       void net_step(net_state *self, const uint8_t *input, uint8_t *output) {
// CHECK-NEXT:      net_events(input, self->shared_uint16, self->shared_uint32);
// CHECK-NEXT:      net_rows_fc(
// CHECK-NEXT:      net_loop_lif(
// CHECK-NEXT:  }
// CHECK-NOT:   double

// Each preference changes the text; without the optimising passes every op has its own loop.
// PREFERS:     #define TOY_ALIGNED __attribute__((aligned(32)))
// PREFERS:     #define TOY_UNROLL _Pragma("GCC unroll 4")
// PREFERS:     static const float toy_c_fc_weight[22] TOY_ALIGNED = {
// PREFERS:     static void toy_clear(
// PREFERS:     TOY_UNROLL
// PREFERS-NEXT: for (size_t o = 0; o < 2; ++o) {
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
ntensor.network @net("input" %x: tensor<11xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<constant(value = 0.5) : tensor<2x11xf32>>} : tensor<11xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

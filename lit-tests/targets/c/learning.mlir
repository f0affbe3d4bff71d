// RUN: nopt %s -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse}" -t c | filecheck %s
// RUN: nopt %s -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c" | filecheck %s --check-prefix=IR
// RUN: nopt %S/inputs/rounded.mlir -t c | filecheck %s --check-prefix=INTEGERS

// Weights, traces and terms under way are memory of the struct; lists and initial weights are constant.
// CHECK:       typedef struct net_state {
// CHECK-NEXT:      double fc_pending[12];
// CHECK-NEXT:      double fc_weight[4];
// CHECK:           uint8_t learning[1];
// CHECK:       void net_learn(net_state *self, int on);
// CHECK:       static const double net_c_fc_weight[4] = {

// With dendritic delays, the term of a spike is computed when it is sent, and arrives from the row of its tick.
// CHECK:       static void net_visit_fc_send(
// CHECK:                       fc_pending[r * 4 + s] = v0;
// CHECK:       static void net_visit_fc(
// CHECK:               const int32_t l = row_of_3[0] - (int32_t)net_c_fc_late[g];
// CHECK:                       const double v1 = fc_pending[r * 4 + s];

// A postsynaptic event reaches the synapses of its neuron and delay through a list, and only if learning is on.
// CHECK:       static void net_visit_fc_post(
// CHECK-NEXT:      if (learning[0] == 0) {
// CHECK:                       const size_t s = net_c_fc_member_2[k];
// CHECK-NEXT:                  const double v0 = fc_weight[s];
// CHECK-NEXT:                  const double v1 = fc_x[net_c_fc_neuron[s]];
// CHECK:                       const double v11 = ((v10 < 1.0) | (v10 != v10)) ? v10 : 1.0;

// Blocks run in the order of the rule, after the population. Records and saved states have what the tick leaves.
// CHECK:       void net_step(
// CHECK:           net_visit_fc(
// CHECK:           net_loop_lif(
// CHECK-NEXT:      net_visit_fc_tick_pre_traces(
// CHECK-NEXT:      net_visit_fc_tick_post_traces(
// CHECK-NEXT:      net_visit_fc_post(
// CHECK-NEXT:      net_visit_fc_pre(
// CHECK-NEXT:      net_visit_fc_pre_pre_traces(
// CHECK-NEXT:      net_visit_fc_post_post_traces(
// CHECK:           self->learning[0] = on != 0;
// CHECK:           memcpy(bytes + 17, self->fc_weight, 32);

// IR:      c.buffer "fc_weight" #c<kind state>
// IR:      c.visit "fc_pre" if %{{[0-9]+}} : memref<1xui8> on %0 : memref<2xui8>
// IR-SAME:   (%{{[0-9]+}}, %{{[0-9]+}}) -> (%{{[0-9]+}}) {groups = 4 : i64, reads = array<i64: -1, 0>, writes = array<i64: -1>}

// Integers need no library: weights of a byte, and random numbers of the seed, the tick, the block and the synapse.
// INTEGERS-NOT:  math.h
// INTEGERS:      uint8_t fc_weight[4];
// INTEGERS:      static inline uint64_t net_mix(uint64_t x) {
// INTEGERS:      static void net_visit_fc_pre(
// INTEGERS:          const uint64_t w0 = net_mix(net_mix(UINT64_C({{[0-9]+}}) ^ (uint64_t)clock[0]) ^ UINT64_C({{[0-9]+}}));
// INTEGERS:                      const int32_t v{{[0-9]+}} = (int32_t)(net_mix(w0 ^ (uint64_t)net_c_fc_{{.*}}[s]) >> 60);
// INTEGERS:          const int32_t v{{[0-9]+}} = v{{[0-9]+}} >> 4;

nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.3, 0.6], [0.8, 0.5]] : tensor<2x2xf64>>, plasticity = #nir.rule<"stdp", {a_plus = 0.02, a_minus = 0.025, tau_plus = 0.015, tau_minus = 0.03, w_min = 0.0, w_max = 1.0, delay = "dendritic"}>, delays = #nopt.array<[[0.0, 0.002], [0.001, 0.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<20.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1 : tensor<2xi1>
}

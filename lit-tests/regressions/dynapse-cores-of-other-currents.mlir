// Populations with equal parameters were placed on one core, although their weights are sums of other currents: those of 4, 8, 12 and 16, and those of 1, 3, 9 and 27. The conversion refused
// the core (DSN010).
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 scale=power-of-two per=population},ntensor-legalize{device="dynapse/se2" approximate=current,reset,refractory,initial,early},convert-ntensor-to-machine,machine-place-vertices{moves=500},machine-route-edges,convert-machine-to-dynapse' | filecheck %s
// CHECK: dynapse.core 0
// CHECK:   dynapse.neurons "{{one|two}}/0"
// CHECK: dynapse.core 1
// CHECK:   dynapse.neurons "{{one|two}}/0"
nir.graph @net("in" %in: tensor<8xi1>) -> ("a": tensor<1xi1>, "b": tensor<1xi1>) {
  %a = nir.linear "fc1" %in {weight = #nopt.array<[[4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 40.0]] : tensor<1x8xf32>>} : tensor<8xi1> -> tensor<1xf32>
  %y = nir.lif "one" %a {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %in {weight = #nopt.array<[[1.0, 3.0, 9.0, 27.0, 4.0, 13.0, 31.0, 40.0]] : tensor<1x8xf32>>} : tensor<8xi1> -> tensor<1xf32>
  %z = nir.lif "two" %b {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y, %z : tensor<1xi1>, tensor<1xi1>
}

// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{per=spiking-neuron scale=power-of-two}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{per=neuron scale=power-of-two}' | filecheck %s --check-prefix=NEURON

// Each neuron that spikes has its own scale; the values of a population have one unit, and so have sums that are results.
// CHECK: ntensor.linear "spikes"
// CHECK-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>>
// CHECK: ntensor.linear "values"
// CHECK-SAME: quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>
// CHECK: ntensor.linear "sums"
// CHECK-SAME: quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>
// NEURON: ntensor.linear "values"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>>
// NEURON: ntensor.linear "sums"
// NEURON-SAME{LITERAL}: quantized = #ntensor.quantized<8, #nopt.array<[[1.0], [0.5]] : tensor<2x1xf64>>>
nir.graph @net("in" %x: tensor<2xf32>) -> ("v": tensor<2xf32>, "y": tensor<2xf32>) {
  %a = nir.linear "spikes" %x {weight = #nopt.array<[[127.0, 10.3], [63.5, 0.2]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.008, 0.008] : tensor<2xf64>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf64>>, v_threshold = #nopt.array<[90.0, 90.0] : tensor<2xf64>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "values" %z {weight = #nopt.array<[[127.0, 10.3], [63.5, 0.2]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %v = nir.li "li" %b {tau = #nopt.array<[0.008, 0.008] : tensor<2xf64>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  %y = nir.linear "sums" %z {weight = #nopt.array<[[127.0, 10.3], [63.5, 0.2]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %v, %y : tensor<2xf32>, tensor<2xf32>
}

// A unit of the weights of 4 bits is 50 / 7 for neuron 1 and 40 / 7 for neuron 0, and a count of 1 is 16 / unit = 2.24 and 2.8 sixteenths, rounded down to 2:
// 0.893 and 0.714. Formerly the record alone had these errors. With 8 bits a count is 50.8 sixteenths.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-quantize-weights{bits=4 per=neuron},ntensor-set-neuron-model{to="akida/akd1000" nodes=one}' -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=15},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="akida/akd1000" nodes=one}' -o /dev/null 2>&1 | filecheck %s --check-prefix=FINE --allow-empty
// CHECK:      warning[LEG051]: the potential of one more count is rounded by @akida.four
// CHECK-NEXT:   at: ntensor.neuron "one"
// CHECK-NEXT:   expected: 1, with an error of at most 10%
// CHECK-NEXT:   found: 0.7143, with an error of 29%
// CHECK-NEXT:   help: nopt explain LEG051
// FINE-NOT: LEG051
nir.graph @net("x" %x: tensor<3xi1>) -> ("y": tensor<2xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[40.0, -25.0, 3.0], [7.0, 2.0, 50.0]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %s = nir.if "one" %a {r = #nopt.array<1.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %s : tensor<2xi1>
}

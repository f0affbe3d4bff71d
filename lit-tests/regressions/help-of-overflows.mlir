// Overflows were refused one population at a time, so the help line of the first was not enough for the next.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron" neuron=tight_lif approximate=dynamics}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron" neuron=tight_lif approximate=dynamics}' -o /dev/null

// Six bits hold 31. For "a" weights of 5 bits are enough: 15 (1 + 0.5 / 0.97) + 1; "b" adds eight, and 8 times 3 fits, 8 times 7 does not.
// CHECK: error[LEG030]: the sum that arrives at input a of @tight_lif does not fit
// CHECK-NEXT: at: ntensor.neuron "a"
// CHECK: help: nopt {{.*}}help-of-overflows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=tight_lif approximate=dynamics}'
// CHECK: error[LEG030]: the sum that arrives at input a of @tight_lif does not fit
// CHECK-NEXT: at: ntensor.neuron "b"
// CHECK: help: nopt {{.*}}help-of-overflows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=tight_lif approximate=dynamics}'
nir.graph @two("in" %x: tensor<2xf32>) -> ("out": tensor<1xi1>) {
  %fa = nir.linear "fa" %x {weight = #nopt.array<[[0.97, 0.5], [0.5, 0.97], [0.97, 0.5], [0.5, 0.97], [0.97, 0.5], [0.5, 0.97], [0.97, 0.5], [0.5, 0.97]] : tensor<8x2xf32>>} : tensor<2xf32> -> tensor<8xf32>
  %a = nir.lif "a" %fa {tau = #nopt.array<[0.004, 0.004, 0.004, 0.004, 0.004, 0.004, 0.004, 0.004] : tensor<8xf64>>, r = #nopt.array<[4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0] : tensor<8xf32>>, v_leak = #nopt.array<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] : tensor<8xf32>>, v_threshold = #nopt.array<[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0] : tensor<8xf32>>, v_reset = #nopt.array<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] : tensor<8xf32>>} : tensor<8xf32> -> tensor<8xi1>
  %fb = nir.linear "fb" %a {weight = #nopt.array<[[0.97, 0.93, 0.97, 0.93, 0.97, 0.93, 0.97, 0.93]] : tensor<1x8xf32>>} : tensor<8xi1> -> tensor<1xf32>
  %b = nir.lif "b" %fb {tau = #nopt.array<[0.004] : tensor<1xf64>>, r = #nopt.array<[4.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[2.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %b : tensor<1xi1>
}

// Integers of 12 bits that are multiples of 256 fit into 8 bits with the exponent 4.
// RUN: nopt check %S/../../targets/asic/inputs/windows.mlir --device %S/inputs/kernels.json --dt 1ms --like norse --passes "ntensor-quantize-weights{bits=12 scale=power-of-two}" | filecheck %s --check-prefix=EXPONENT
// RUN: exits 1 nopt check %S/../../targets/asic/inputs/windows.mlir --device %S/inputs/kernels.json --dt 1ms --like norse --passes "ntensor-quantize-weights{bits=12 scale=power-of-two}" --set synapse.weight_exponent.max=3 2>&1 | filecheck %s --check-prefix=GREATER
// EXPONENT:     fits asic/kernels
// GREATER:      error[DEV016]: weight exponent {{[0-9]+}} exceeds the limit {{[0-9]+}}
// GREATER-NEXT:   place: {{.*}}windows.mlir:{{[0-9]+}}:3
// GREATER-NEXT:   at: ntensor.conv2d "conv"
// GREATER-NEXT:   expected: an exponent of at most 3 (asic/kernels, synapse.weight_exponent.max: set by the user)
// GREATER-NEXT:   found: 4, for weights of 12 bits
// GREATER-NEXT:   help: nopt check
// GREATER-NEXT:   note: the network would fit with --set synapse.weight_exponent.max=4

// RUN: cd %S/inputs && not nopt %s --split-input-file -p 'ntensor-legalize{device="helpless.json"}' 2>&1 | filecheck %s
// RUN: cd %S/inputs && nopt %s --split-input-file -p 'ntensor-legalize{device="helpless.json" keep=recurrence,graded,delay}' -o /dev/null

// A chip without loops, and without a pass that unrolls them.
// CHECK: error[LEG001]: the fallback of asic/helpless for recurrence repairs nothing
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: no loop (asic/helpless, features.recurrence: made for a test; there is no silicon)
// CHECK-NEXT:   found: ntensor.neuron "a" -> ntensor.neuron "a" after ntensor-freeze-plasticity
// CHECK-NEXT:   help: nopt check {{.*}}device_violations-errors.mlir --target auto
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @loop("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}

// -----

// A payload, for a chip with binary spikes.
// CHECK: error[LEG001]: the fallback of asic/helpless for graded repairs nothing
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: binary spikes (asic/helpless, spike.kinds)
// CHECK-NEXT:   found: !ntensor.graded<4> after ntensor-freeze-plasticity
// CHECK-NEXT:   help: nopt check {{.*}}device_violations-errors.mlir --target auto
ntensor.update @level <graded> inputs ["x"] step {
^bb0(%x: f64):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  ntensor.emit %0 : !fixed.int<5, 5>
}
ntensor.network @levels("in" %x: tensor<2xi1>) -> ("out": tensor<2x!ntensor.graded<4>>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %a = ntensor.neuron "a" @level(%h) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2x!ntensor.graded<4>>
  ntensor.output %a : tensor<2x!ntensor.graded<4>>
}

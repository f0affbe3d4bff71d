// A truncated observation is unusable: the range has one end, so the values of the input are unknown.
// RUN: not nopt %s -p ntensor-quantize-inputs 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=spike}' | filecheck %s --check-prefix=WORD
// CHECK: error[QUA015]: the type of an input is not specified
// CHECK: help: nopt {{.*}}network_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=spike}'
// WORD: ["in"], none, none, "none">
ntensor.network @net("in" %x: tensor<2xf64>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000, ntensor.observed = {inputs = {in = {range = #nopt.array<[0.0] : tensor<1xf64>>, integral = true}}}} {
  ntensor.output %x : tensor<2xf64>
}

// RUN: not nopt %s -p print-fan-out 2>&1 | filecheck %s

// A network in continuous time is refused.
// CHECK: error[QNO002]: no network in ticks
// CHECK: help: nopt {{.*}}print_fan_out-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},print-fan-out'
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

// RUN: not nopt %s -p print-latency 2>&1 | filecheck %s

// A network in continuous time is refused.
// CHECK: error[QNO002]: no network in ticks
// CHECK: help: nopt {{.*}}print_latency-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},print-latency'
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

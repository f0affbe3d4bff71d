// RUN: not nopt %s -p print-integer-ranges 2>&1 | filecheck %s

// A network in continuous time has no integers.
// CHECK: error[QNO002]: no network in ticks
// CHECK: help: nopt {{.*}}print_integer_ranges-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},print-integer-ranges'
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}

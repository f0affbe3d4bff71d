// RUN: not nopt %s -p convert-ntensor-to-functions 2>&1 | filecheck %s
// RUN: not nopt %s -t linalg 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %S/inputs/wide.mlir -p convert-ntensor-to-functions 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: not nopt %S/inputs/wide.mlir -p 'convert-ntensor-to-functions{samples=0}' 2>&1 | filecheck %s --check-prefix=SAMPLES

// No tensor holds unsigned integers of 64 bits.
// CHECK:      error[LNG001]: type ui64 has no equivalent in the upstream dialects
// CHECK:        expected: i1, f32, f64, iN
// CHECK:        help: nopt check {{.*}}lowering-errors.mlir --target auto

// A network in ticks has no functions.
// NONE:       error[LNG002]: the module contains no program of functions
// NONE:         help: {{.*}}-p convert-ntensor-to-functions

// WIDE:       error[CSR017]: a sum can leave i8
// WIDE:         help: {{.*}}ntensor-widen-sums

// SAMPLES:    error[LNG003]: invalid value of samples
// SAMPLES:      help: {{.*}}samples=1
ntensor.network @foreign("x" %x: tensor<2xui64>) -> ("y": tensor<2xui64>) attributes {tick_ns = 1000000} {
  ntensor.output %x : tensor<2xui64>
}

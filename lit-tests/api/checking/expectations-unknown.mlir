// A refusal of an option of a pass has no line; its expectation names none.
// RUN: nopt %s --verify-diagnostics -p 'ntensor-quantize-weights{bits=0}' -o /dev/null 2>&1 | filecheck %s --allow-empty --check-prefix=SILENT
// SILENT-NOT: {{.}}

// expected-error @unknown {{[QUA042]: the bits of weights are out of range}}
ntensor.network @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  ntensor.output %x : tensor<2xf32>
}

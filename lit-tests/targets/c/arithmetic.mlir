// RUN: nopt compile %s --target c --dt 1ms --like norse -o %t && cat %t/artefact/net.h | filecheck %s --check-prefix=SINGLE
// RUN: nopt compile %s --target c --dt 1ms --like norse -o %t -v | filecheck %s --check-prefix=SUMMARY
// RUN: nopt compile %s --target c --dt 1ms --like norse --precision f64 -o %t -v | filecheck %s --check-prefix=ASKED
// RUN: mutate 's/0.5, 0.25]] : tensor<1x2xf32>/0.5, 0.1]] : tensor<1x2xf64>/' %s > %t.mlir && nopt compile %t.mlir --target c --dt 1ms --like norse -o %t -v | filecheck %s --check-prefix=DOUBLE
// RUN: nopt compile %s --target c --dt 1ms --like norse --format json -o %t | filecheck %s --check-prefix=REPORT
// RUN: nopt compile %s --target c --dt 1ms --like norse -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=4 per=neuron},ntensor-set-neuron-model{to=loihi}' -o %t 2>/dev/null -v | filecheck %s --check-prefix=INTEGERS

// The arithmetic is that of the file's weights, here f32; parameters of neurons in f64 are rounded, which is recorded.
// SINGLE:  float lif_v[1];
// SUMMARY: arithmetic  f32
// SUMMARY: convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}: parameters rounded to f32
// REPORT:      "arithmetic": "f32",
// REPORT-NEXT: "storage": {
// REPORT-NEXT:   "weights": "f32",
// REPORT-NEXT:   "states": "f32"

// An explicit precision overrides the file.
// ASKED: arithmetic  f64

// A network of integers computes without reals, and its weights are stored as integers, so no note follows.
// INTEGERS:     arithmetic  integers
// INTEGERS-NOT: storage unchanged

// A weight in f64 makes the arithmetic f64.
// DOUBLE: arithmetic  f64
nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %y = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %y {tau = #nopt.array<0.01 : tensor<1xf64>>, r = #nopt.array<1.0 : tensor<1xf64>>, v_leak = #nopt.array<0.0 : tensor<1xf64>>, v_threshold = #nopt.array<0.1 : tensor<1xf64>>, v_reset = #nopt.array<0.0 : tensor<1xf64>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

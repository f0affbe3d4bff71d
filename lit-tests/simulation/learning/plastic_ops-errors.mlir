// RUN: rm -rf %t && mkdir %t && cp %s %S/inputs/timed.synapse %t && cd %t
// RUN: exits 1 nopt plastic_ops-errors.mlir -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c" 2>&1 | filecheck %s
// RUN: mutate 's/%m: tensor<1xf32>/%m: tensor<3xi1>/' %s > sizes.mlir
// RUN: exits 1 nopt sizes.mlir -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c" 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: mutate 's/("out": tensor<2xi1>)/("out": tensor<2xi1>, "sums": tensor<2xf32>)/' %s | mutate 's/nir.output %1 : tensor<2xi1>/nir.output %1, %0 : tensor<2xi1>, tensor<2xf32>/' - > open.mlir
// RUN: exits 1 nopt open.mlir -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-c" 2>&1 | filecheck %s --check-prefix=OPEN

// The rule declares integers, and the signal is a real. The caret is at the use.
// CHECK:      timed.synapse:6:{{[0-9]+}}: error[SIM036]: a rule reads a value of another type than it declares
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers in 0..15, the type of m
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: nopt plastic_ops-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-freeze-plasticity,convert-ntensor-to-c'
// CHECK-NEXT:   note: line 6
// CHECK-NEXT: w = w + 0.01 * real(m)
// CHECK-NEXT: ^

// Three numbers for two neurons.
// SIZE:      timed.synapse:6:{{[0-9]+}}: error[SIM032]: a rule needs spikes on both sides, and numbers of its own kind
// SIZE-NEXT:   at: ntensor.linear "fc"
// SIZE-NEXT:   expected: a signal of 1 or 2 elements
// SIZE-NEXT:   found: 3 elements
// SIZE:        note: line 6

// Sums that reach a population and an output.
// OPEN:      timed.synapse:3:1: error[NTE025]: the sums of a plastic synapse do not reach one population
// OPEN-NEXT:   at: ntensor.linear "fc"
// OPEN-NEXT:   expected: sums that reach one population, through sums, reshapes and delays alone
// OPEN:        note: line 3
// OPEN-NEXT: weight w in low..high
nir.graph @net("in" %x: tensor<2xi1>, "m" %m: tensor<1xf32>) -> ("out": tensor<2xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.3, 0.6], [0.8, 0.5]] : tensor<2x2xf64>>, plasticity = #nir.rule<"timed.synapse", {low = 0.0, high = 1.0}>} : tensor<2xi1> -> tensor<2xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<20.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %1 : tensor<2xi1>
}

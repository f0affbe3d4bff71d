// RUN: not nopt %s -p 'ntensor-quantize-weights{nodes=fc1,"lif"}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{nodes=fc}' -o /dev/null
// RUN: not nopt %S/../regressions/inputs/two.mlir -p ntensor-quantize-weights 2>&1 | filecheck %s --check-prefix=CONTINUOUS
// RUN: not nopt %S/../regressions/inputs/two.mlir -p 'ntensor-quantize-decay{nodes=lif.1}' 2>&1 | filecheck %s --check-prefix=CONTINUOUS
// RUN: not nopt %S/../regressions/inputs/two.mlir -p 'ntensor-set-neuron-model{to=norse}' 2>&1 | filecheck %s --check-prefix=CONTINUOUS
// RUN: nopt %S/../regressions/inputs/two.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights' -o /dev/null

// A network that is not discretised is refused; otherwise it would silently stay unchanged.
// CONTINUOUS: error[NTE009]: no network in ticks
// CONTINUOUS-NEXT: at: nir.graph @two
// CONTINUOUS-NEXT: expected: ntensor.network
// CONTINUOUS-NEXT: found: nir.graph
// CONTINUOUS-NEXT: help: nopt {{.*}}two.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},{{.*}}'

// CHECK: error[ANA031]: ntensor-quantize-weights has no node "fc1" to work on
// CHECK-NEXT: at: nodes
// CHECK-NEXT: expected: one of fc
// CHECK-NEXT: found: fc1
// CHECK-NEXT: help: nopt {{.*}}node_selection-errors.mlir -p 'ntensor-quantize-weights{nodes=fc}'
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = ntensor.delay "later" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

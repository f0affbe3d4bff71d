// RUN: not nopt %s -p 'ntensor-quantize-weights{nodes=fc1,"lif"}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{nodes=fc}' -o /dev/null

// CHECK: error[QNO001]: ntensor-quantize-weights has no node "fc1" to work on
// CHECK-NEXT: at: nodes
// CHECK-NEXT: expected: one of fc
// CHECK-NEXT: found: fc1
// CHECK-NEXT: help: nodes=fc
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = ntensor.delay "later" %a {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

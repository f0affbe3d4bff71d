// RUN: not nopt %s --split-input-file -p ntensor-quantize-weights 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p ntensor-cluster-weights 2>&1 | filecheck %s
// RUN: mutate '/^.. -----/,$d' %s | nopt - -p 'ntensor-quantize-weights{nodes=fine}' -o /dev/null

// CHECK: error[QUA030]: a weight is not finite
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: finite numbers
// CHECK-NEXT: found: weight[0, 1] = inf
// CHECK-NEXT: help: correct the weight in the file that it came from
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<"0x0000803f0000807f" : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = ntensor.linear "fine" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// A rule takes no memory, its 10^12 numbers do.
// CHECK: error[QUA031]: weights do not fit into memory to be rounded
// CHECK-NEXT: at: ntensor.linear "large"
// CHECK-NEXT: expected: at most {{[0-9]+}} bytes, which this machine has free
// CHECK-NEXT: found: about {{[0-9]+}} bytes; 1000000000000 weights of this op are the most
// CHECK-NEXT: help: give the array fewer elements
ntensor.network @large("input" %x: tensor<1000000xi1>) -> ("output": tensor<1000000xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "large" %x {weight = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 1) : tensor<1000000x1000000xf32>>} : tensor<1000000xi1> -> tensor<1000000xf32>
  ntensor.output %y : tensor<1000000xf32>
}

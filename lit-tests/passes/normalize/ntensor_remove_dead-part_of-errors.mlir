// A delay that is part of a node that it does not read is refused before the pass; one of zero ticks that is part of a node can be removed.
// RUN: not nopt %s --split-input-file -p ntensor-fold-identities -o %t.mlir 2>&1 | filecheck %s
// CHECK: error[NTE004]: a delay is part of a node other than the one that it reads
// RUN: mutate '/^.. -----/,$d' %s | nopt - -p ntensor-fold-identities | filecheck %s --check-prefix=GONE
// GONE: ntensor.network @none
// GONE-NEXT: ntensor.linear "fc"
// GONE-NEXT: ntensor.output
ntensor.network @none("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = ntensor.delay "fc.delay" %a {ticks = #nopt.array<0 : tensor<i64>>, part_of = "fc"} : tensor<1xf32>
  ntensor.output %b : tensor<1xf32>
}

// -----

ntensor.network @stranger("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %b = ntensor.delay "delay" %x {ticks = #nopt.array<0 : tensor<i64>>, part_of = "fc"} : tensor<1xf32>
  ntensor.output %b : tensor<1xf32>
}

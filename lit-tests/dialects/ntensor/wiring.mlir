// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// A reshape keeps the elements, their order and their kind.
// CHECK-LABEL: ntensor.network @reshape
// CHECK-NEXT:  %a = ntensor.reshape "flatten" %x : tensor<2x3xi1> -> tensor<6xi1>
// CHECK-NEXT:  %b = ntensor.reshape "none" %a : tensor<6xi1> -> tensor<6xi1>
// GENERIC-LABEL: sym_name = "reshape"
// GENERIC:       %a = "ntensor.reshape"(%x) <{node = "flatten"}> : (tensor<2x3xi1>) -> tensor<6xi1>
ntensor.network @reshape("x" %x: tensor<2x3xi1>) -> ("out": tensor<6xi1>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.reshape "flatten" %x : tensor<2x3xi1> -> tensor<6xi1>
  %b = ntensor.reshape "none" %a : tensor<6xi1> -> tensor<6xi1>
  ntensor.output %b : tensor<6xi1>
}

// A sum adds from left to right, spikes and counts as numbers; it has no name, and may read a value twice.
// CHECK-LABEL: ntensor.network @sum
// CHECK-NEXT:  %a = ntensor.sum %x, %y, %x : (tensor<2xi1>, tensor<2x!ntensor.count<5>>, tensor<2xi1>) -> tensor<2xf32>
// CHECK-NEXT:  %b = ntensor.sum %a : (tensor<2xf32>) -> tensor<2xf64>
// GENERIC-LABEL: sym_name = "sum"
// GENERIC:       %a = "ntensor.sum"(%x, %y, %x) : (tensor<2xi1>, tensor<2x!ntensor.count<5>>, tensor<2xi1>) -> tensor<2xf32>
ntensor.network @sum("x" %x: tensor<2xi1>, "y" %y: tensor<2x!ntensor.count<5>>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.sum %x, %y, %x : (tensor<2xi1>, tensor<2x!ntensor.count<5>>, tensor<2xi1>) -> tensor<2xf32>
  %b = ntensor.sum %a : (tensor<2xf32>) -> tensor<2xf64>
  ntensor.output %b : tensor<2xf64>
}

// One delay for all elements, one for each, and zero; a delay that is part of a node has `part_of`.
// CHECK-LABEL: ntensor.network @delay
// CHECK-NEXT:  %a = ntensor.delay "one" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT:  %b = ntensor.delay "each" %a {ticks = #nopt.array<[0, 3] : tensor<2xi64>>} : tensor<2xi1>
// CHECK-NEXT:  %c = ntensor.scale "synapse"
// CHECK-NEXT:  %d = ntensor.delay "synapse.delay" %c {ticks = #nopt.array<0 : tensor<i64>>, part_of = "synapse"} : tensor<2xf32>
// GENERIC-LABEL: sym_name = "delay"
// GENERIC:       %a = "ntensor.delay"(%x) <{node = "one", ticks = #nopt.array<1 : tensor<i64>>}> : (tensor<2xi1>) -> tensor<2xi1>
// GENERIC:       %d = "ntensor.delay"(%c) <{node = "synapse.delay", ticks = #nopt.array<0 : tensor<i64>>, part_of = "synapse"}> : (tensor<2xf32>) -> tensor<2xf32>
ntensor.network @delay("x" %x: tensor<2xi1>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.delay "one" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
  %b = ntensor.delay "each" %a {ticks = #nopt.array<[0, 3] : tensor<2xi64>>} : tensor<2xi1>
  %c = ntensor.scale "synapse" %b {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xi1> -> tensor<2xf32>
  %d = ntensor.delay "synapse.delay" %c {ticks = #nopt.array<0 : tensor<i64>>, part_of = "synapse"} : tensor<2xf32>
  ntensor.output %d : tensor<2xf32>
}

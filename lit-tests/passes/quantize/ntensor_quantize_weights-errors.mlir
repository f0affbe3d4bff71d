// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=17}' 2>&1 | filecheck %s --check-prefix=MANY
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=layer}' 2>&1 | filecheck %s --check-prefix=PER
// RUN: not nopt %s -p ntensor-quantize-weights 2>&1 | filecheck %s --check-prefix=INF
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=1 nodes=fine}' -o /dev/null
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=16 nodes=fine}' -o /dev/null

// NONE: error[QWT001]: weights cannot have so many bits
// NONE-NEXT: at: bits=0
// NONE-NEXT: expected: 1 to 16
// NONE-NEXT: found: 0
// NONE-NEXT: help: ntensor-quantize-weights{bits=1}
// MANY: error[QWT001]:
// MANY: help: ntensor-quantize-weights{bits=16}
// PER: error[PAS002]: ntensor-quantize-weights does not take these options

// The help line says what works, as the last two RUN lines show for another node.
// INF: error[QWT002]: a weight is not finite
// INF-NEXT: at: ntensor.linear "fc"
// INF-NEXT: expected: finite numbers
// INF-NEXT: found: weight[0, 1] = inf
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<"0x0000803f0000807f" : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = ntensor.linear "fine" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %y = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

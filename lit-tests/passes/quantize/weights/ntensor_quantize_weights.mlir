// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4},ntensor-quantize-weights{bits=4}' | filecheck %s

// Four bits are -7 to 7. The scale is 3.5 / 7 = 0.5: 1.3 / 0.5 = 2.6 is 3, the real 1.5; -0.2 / 0.5 = -0.4 is 0. The errors are 0.2,
// 0.2 and 0: in f32 1.3 is 1.2999999523162842 and -0.2 is -0.20000000298023224; mean (0.20000004768371582 + 0.20000000298023224) / 3.
// The bias is unchanged. In the second pass the weights are on their grid: nothing changes, and nothing is recorded.
// CHECK-LABEL: ntensor.network @fc
// CHECK-SAME: approximations = [#ntensor.approximation<"ntensor-quantize-weights{bits=4}", "weights quantized to 4 bits, one scale per tensor", ["fc"], 0.20000004768371582 : f64, 0.13333335022131601 : f64, "1">]}
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[7, 3, 0]] : tensor<1x3xi8>>, bias = #nopt.array<[0.3] : tensor<1xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>}
ntensor.network @fc("input" %x: tensor<3xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3.5, 1.3, -0.2]] : tensor<1x3xf32>>, bias = #nopt.array<[0.3] : tensor<1xf32>>} : tensor<3xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// An op with an integer result has integer weights, which already have a scale: they are unchanged, and nothing is recorded.
// CHECK-LABEL: ntensor.network @integers
// CHECK-SAME: attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[100, 3]] : tensor<1x2xi16>>} : tensor<2xi1> -> tensor<1xi32>
ntensor.network @integers("input" %x: tensor<2xi1>) -> ("output": tensor<1xi32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 3]] : tensor<1x2xi16>>} : tensor<2xi1> -> tensor<1xi32>
  ntensor.output %y : tensor<1xi32>
}

// -----

// A scale op has weights too, one for each element: 1.26 / 7 = 0.18 is the scale, in f64 like its weights. 0.5 / 0.18 is 3 steps,
// 0.123 is 1. Integers become reals if reals represent them: 126 / 7 = 18, and 100 / 18 is 6 steps, 108.
// CHECK-LABEL: ntensor.network @scale
// CHECK-SAME: ["gain", "fc"]
// CHECK: ntensor.scale "gain" %{{.+}} {scale = #nopt.array<[-7, 3, 1] : tensor<3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.18 : tensor<f64>>>}
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[7, 6, 0]] : tensor<1x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<18.0 : tensor<f64>>>}
ntensor.network @scale("input" %x: tensor<3xf64>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.scale "gain" %x {scale = #nopt.array<[-1.26, 0.5, 0.123] : tensor<3xf64>>} : tensor<3xf64> -> tensor<3xf64>
  %y = ntensor.linear "fc" %a {weight = #nopt.array<[[126, 100, 3]] : tensor<1x3xi8>>} : tensor<3xf64> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// With `clip=75` three of the four nonzero weights determine the scale, and the fourth saturates: 7 / 7 = 1.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 clip=75}' | filecheck %s --check-prefix=CLIP
// CLIP-LABEL: ntensor.network @clip
// CLIP: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CLIP-SAME{LITERAL}: [[7, 0, -7, 3, -5]] : tensor<1x5xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>
// CHECK-LABEL: ntensor.network @clip
ntensor.network @clip("input" %x: tensor<5xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[90.0, 0.0, -7.0, 2.8, -5.0]] : tensor<1x5xf64>>} : tensor<5xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Two bits are -1 to 1. A scale of 4 reaches the largest weight and rounds all others to 0, a squared error of 15; a scale of 1 has 9, of
// 4 - 1 alone.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=2 scale=power-of-two fit=error}' | filecheck %s --check-prefix=FIT
// FIT-LABEL: ntensor.network @fit
// FIT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// FIT-SAME{LITERAL}: [[1, 1, 1, 1, 1, 1, 1, 1, -1, 1, 1, 1, 1, 1, 1, 1]] : tensor<1x16xi8>>, quantized = #ntensor.quantized<2, #nopt.array<1.0 : tensor<f64>>>
// CHECK-LABEL: ntensor.network @fit
ntensor.network @fit("input" %x: tensor<16xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[4.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<1x16xf64>>} : tensor<16xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Up to 8 bits are stored as i8, more as i16. The scale is 1 / 255 in f32, the type of the result, and 0.1 is 25.5 of it, less a little.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=9}' | filecheck %s --check-prefix=WIDE
// WIDE-LABEL: ntensor.network @wide
// WIDE: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// WIDE-SAME{LITERAL}: [[255, 25]] : tensor<1x2xi16>>, quantized = #ntensor.quantized<9, #nopt.array<0.003921568859368563 : tensor<f64>>>
// CHECK-LABEL: ntensor.network @wide
ntensor.network @wide("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.1]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}

// -----

// Scales of 0.1, 0.11, 0.9 and 1 in two classes: 0.11 covers the first two rows, 1 the others. Two weights of row 0 cost 2 (0.11^2 - 0.1^2), three of
// row 2 cost 3 (1 - 0.9^2); every other cut costs more. The row of zeros is in no class, and takes the smallest scale. 0.7 / 0.11 is 6.36.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=neuron classes=2}' | filecheck %s --check-prefix=CLASSES
// CLASSES-LABEL: ntensor.network @classes
// CLASSES-SAME: "ntensor-quantize-weights{bits=4 per=neuron classes=2}", "weights quantized to 4 bits, one scale per neuron, at most 2 scales in a population", ["fc"]
// CLASSES: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CLASSES-SAME{LITERAL}: [[6, 1, 0], [7, 1, 3], [6, 2, 1], [7, 1, 0], [0, 0, 0]] : tensor<5x3xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.11], [0.11], [1.0], [1.0], [0.11]] : tensor<5x1xf64>>>

// Powers of two: 0.1, 0.11 and 0.9, 1 are covered by 1/8 and 1, without a class.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=row classes=2 scale=power-of-two}' | filecheck %s --check-prefix=POWERS
// POWERS-LABEL: ntensor.network @classes
// POWERS-SAME: one power of two per row, at most 2 powers of two in an op
// POWERS: #ntensor.quantized<4, #nopt.array<[[0.125], [0.125], [1.0], [1.0], [1.0]] : tensor<5x1xf64>>>

// As many classes as scales change nothing. With one class there is one scale, as with `per=population`.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=neuron classes=5}' | filecheck %s --check-prefix=OWN
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=neuron classes=1}' | filecheck %s --check-prefix=SHARED
// OWN-LABEL: ntensor.network @classes
// OWN: #ntensor.quantized<4, #nopt.array<[[0.09999999999999999], [0.11], [0.9], [1.0], [1.0]] : tensor<5x1xf64>>>
// SHARED-LABEL: ntensor.network @classes
// SHARED-SAME: at most 1 scale in a population
// SHARED: #ntensor.quantized<4, #nopt.array<[[1.0], [1.0], [1.0], [1.0], [1.0]] : tensor<5x1xf64>>>

// One bit: the mean sizes are 0.8 / 3, 1.2 / 3, 9.4 / 3, 8.3 / 3 and 0. Two classes have the means 2 / 9 and 17.7 / 6.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=1 per=row classes=2}' | filecheck %s --check-prefix=SIGNS
// SIGNS-LABEL: ntensor.network @classes
// SIGNS: [0.2222222222222222{{[0-9]+}}], [0.2222222222222222{{[0-9]+}}], [2.9499999999999{{[0-9]+}}], [2.9499999999999{{[0-9]+}}], [0.2222222222222222{{[0-9]+}}]{{\]}} : tensor<5x1xf64>
// CHECK-LABEL: ntensor.network @classes
ntensor.network @classes("input" %x: tensor<3xi1>) -> ("output": tensor<5xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.7, 0.1, 0.0], [0.77, 0.1, 0.33], [6.3, 2.0, 1.1], [7.0, 1.3, 0.0], [0.0, 0.0, 0.0]] : tensor<5x3xf64>>} : tensor<3xi1> -> tensor<5xf64>
  ntensor.output %y : tensor<5xf64>
}

// RUN: nopt %s --split-input-file -p 'ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" approximate=dynamics}' | filecheck %s

// Ops between events and neurons: a sum pool of spikes counts up to 4, and a mean pool has a factor of 1 / 4; a convolution and a sparse
// layer share one scale: 0.5 / 4, and 0.0625 times 2 for the exponent 1, which the sparse layer no longer has. The unit of "lif" is
// 0.125 with the gain 1: th = 1 / 0.125 = 8. Worst cases: 4 events, 4 times 3 = 12, and 12 + 1 in the sum.
// CHECK-LABEL: ntensor.network @net
// CHECK-SAME:    decay, threshold exact
// CHECK-NEXT:    [[MEAN:%\S+]] = ntensor.sum_pool2d "mean" %x {{.*}} : tensor<1x2x2xi1> -> tensor<1x1x1xi8>
// CHECK-NEXT:    [[CONV:%\S+]] = ntensor.conv2d "conv" [[MEAN]] {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[[3]]]] : tensor<1x1x1x1xi8>>
// CHECK-SAME:      : tensor<1x1x1xi8> -> tensor<1x1x1xi8>
// CHECK-NEXT:    [[SPARSE:%\S+]] = ntensor.sparse_linear "sparse" %x {weight = #nopt.array<[-1, 2] : tensor<2xi8>>, source = {{.*}}, target = {{.*}}, quantized = {{.*}}} : tensor<1x2x2xi1> -> tensor<1x1x1xi8>
// CHECK-NEXT:    [[SUM:%\S+]] = ntensor.sum [[CONV]], [[SPARSE]] : (tensor<1x1x1xi8>, tensor<1x1x1xi8>) -> tensor<1x1x1xi8>
// CHECK-NEXT:    [[FLAT:%\S+]] = ntensor.reshape "flat" [[SUM]] : tensor<1x1x1xi8> -> tensor<1xi8>
// CHECK-NEXT:    ntensor.neuron "lif" @fixed_lif([[FLAT]]) {{.*}} th = #nopt.array<8 : tensor<i64>>
ntensor.update @rule <spike> inputs ["x"] canonical ["decay", "gain", "threshold"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1, %1 : f64, f64, f64
} step {
^bb0(%x: f64):
  %2 = arith.constant 1.0 : f64
  %3 = arith.cmpf ogt, %x, %2 : f64
  ntensor.emit %3 : i1
}
ntensor.network @net("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %mean = ntensor.avg_pool2d "mean" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf64>
  %conv = ntensor.conv2d "conv" %mean {weight = #nopt.array<[[[[3]]]] : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1, quantized = #ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>>} : tensor<1x1x1xf64> -> tensor<1x1x1xf64>
  %sparse = ntensor.sparse_linear "sparse" %x {weight = #nopt.array<[-1, 2] : tensor<2xi8>>, source = #nopt.array<[0, 3] : tensor<2xi64>>, target = #nopt.array<[0, 0] : tensor<2xi64>>, exponent = #nopt.array<1 : tensor<i64>>, quantized = #ntensor.quantized<3, #nopt.array<0.0625 : tensor<f64>>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf64>
  %sum = ntensor.sum %conv, %sparse : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xf64>
  %flat = ntensor.reshape "flat" %sum : tensor<1x1x1xf64> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @rule(%flat) {family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Factors of single elements: 1 has the value 0.5 in one neuron and 0.25 in the other, so the threshold 1 is 2 and 4. A quantized scale
// is not folded. Counts of five bits: 3 * 31 = 93.
// CHECK-LABEL: ntensor.network @factors
// CHECK-NEXT:    [[Y:%\S+]] = ntensor.scale "factor" %{{\S+}} {scale = #nopt.array<[3, -1] : tensor<2xi8>>, quantized = {{.*}}} : tensor<2x!ntensor.count<5>> -> tensor<2xi8>
// CHECK-NEXT:    ntensor.neuron "lif" @fixed_lif([[Y]]) {{.*}} th = #nopt.array<[2, 4] : tensor<2xi64>>
ntensor.update @rule <spike> inputs ["x"] canonical ["decay", "gain", "threshold"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1, %1 : f64, f64, f64
} step {
^bb0(%x: f64):
  %2 = arith.constant 1.0 : f64
  %3 = arith.cmpf ogt, %x, %2 : f64
  ntensor.emit %3 : i1
}
ntensor.network @factors("in" %x: tensor<2x!ntensor.count<5>>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "factor" %x {scale = #nopt.array<[3, -1] : tensor<2xi8>>, quantized = #ntensor.quantized<3, #nopt.array<[0.5, 0.25] : tensor<2xf64>>>} : tensor<2x!ntensor.count<5>> -> tensor<2xf64>
  %z = ntensor.neuron "lif" @rule(%y) {family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

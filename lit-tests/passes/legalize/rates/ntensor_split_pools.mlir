// RUN: nopt %s --split-input-file -p 'ntensor-split-pools' | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-split-pools{load=1}' | filecheck %s --check-prefix=ALL
// RUN: nopt %s --split-input-file -p 'ntensor-calibrate{data="poisson:0.5,ticks=40,samples=4"},ntensor-split-pools,ntensor-quantize-weights{bits=8 per=row},ntensor-quantize-bias' | filecheck %s --check-prefix=MEANS
// RUN: nopt %s --split-input-file -p 'ntensor-calibrate{data="poisson:0.5,ticks=40,samples=4" keep=4},ntensor-split-pools' | filecheck %s --check-prefix=BUSY

// A spike is worth 0.5 * 4 = 2 of a sum pool, with the weights times 2, and 0.5 * 1 of an average pool, which adds 1 / 4 of each spike.
// CHECK:       ntensor.update @partial_sum <spike> inputs ["x"] states ["v"]
// CHECK-LABEL: ntensor.network @chain
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-split-pools", "sums of pools sent as spikes, each worth 0.5 of the kernel", ["sum", "mean"], none, none, "none">]
// CHECK-NEXT:    [[P:%\S+]] = ntensor.sum_pool2d "sum" %x
// CHECK-NEXT:    [[S:%\S+]] = ntensor.neuron "sum.spikes" @partial_sum([[P]]) {machine.added, family = "if", {{.*}}params = {v_threshold = #nopt.array<2.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1x2x2xf64>) -> tensor<1x2x2xi1>
// CHECK-NEXT:    [[C:%\S+]] = ntensor.conv2d "conv" [[S]] {weight = #nopt.array<{{\[\[\[\[}}6.0]]]] : tensor<1x1x1x1xf64>>{{.*}}bias = #nopt.array<[0.25] : tensor<1xf64>>{{.*}} : tensor<1x2x2xi1> -> tensor<1x2x2xf64>
// CHECK-NEXT:    [[Z:%\S+]] = ntensor.neuron "one" @lif([[C]])
// CHECK-NEXT:    [[A:%\S+]] = ntensor.avg_pool2d "mean" [[Z]]
// CHECK-NEXT:    [[M:%\S+]] = ntensor.neuron "mean.spikes" @partial_sum([[A]]) {{.*}}v_threshold = #nopt.array<0.5 : tensor<f64>>
// CHECK-NEXT:    [[F:%\S+]] = ntensor.reshape "flat" [[M]] : tensor<1x1x1xi1> -> tensor<1xi1>
// CHECK-NEXT:    ntensor.linear "fc" [[F]] {weight = #nopt.array<{{\[\[}}2.5]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>

// The mean of the operand is divided by the worth of a spike: exact weights leave nothing for the bias to correct.
// MEANS-LABEL: ntensor.network @chain
// MEANS:         ntensor.conv2d "conv" {{.*}}bias = #nopt.array<[0.25] : tensor<1xf64>>

// The only pool of "one" has the worth below which its mean sum stays in 95 % of the kept samples. The pool of the input has the default.
// BUSY-LABEL: ntensor.network @chain
// BUSY-SAME:     each worth 0.5 to 0.743 of the kernel
// BUSY:          ntensor.neuron "mean.spikes" @partial_sum({{.*}}v_threshold = #nopt.array<0.74{{[0-9]+}} : tensor<f64>>

// ALL-LABEL: ntensor.network @chain
// ALL:         v_threshold = #nopt.array<4.0 : tensor<f64>>
// ALL:         ntensor.conv2d "conv" {{.*}}12.0
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @chain("in" %x: tensor<1x4x4xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "sum" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf64>
  %a = ntensor.conv2d "conv" %p {weight = #nopt.array<[[[[3.0]]]] : tensor<1x1x1x1xf64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1, bias = #nopt.array<[0.25] : tensor<1xf64>>} : tensor<1x2x2xf64> -> tensor<1x2x2xf64>
  %z = ntensor.neuron "one" @lif(%a) {params = {}, initial = {}} : (tensor<1x2x2xf64>) -> tensor<1x2x2xi1>
  %q = ntensor.avg_pool2d "mean" %z {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf64>
  %f = ntensor.reshape "flat" %q : tensor<1x1x1xf64> -> tensor<1xf64>
  %b = ntensor.linear "fc" %f {weight = #nopt.array<[[5.0]] : tensor<1x1xf64>>} : tensor<1xf64> -> tensor<1xf64>
  %y = ntensor.neuron "two" @lif(%b) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %y : tensor<1xi1>
}

// -----

// Quantized weights keep their integers, with another scale. A population that reads the pool itself reads the spikes through a scale.
// CHECK-LABEL: ntensor.network @readers
// CHECK:         [[S:%\S+]] = ntensor.neuron "pool.spikes"
// CHECK-NEXT:    [[F:%\S+]] = ntensor.reshape "flat" [[S]] : tensor<1x1x1xi1> -> tensor<1xi1>
// CHECK-NEXT:    ntensor.linear "fc" [[F]] {weight = #nopt.array<{{\[\[}}3]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>}
// CHECK-NEXT:    [[D:%\S+]] = ntensor.scale "pool.spikes.scale" [[F]] {scale = #nopt.array<[2.0] : tensor<1xf64>>} : tensor<1xi1> -> tensor<1xf64>
// CHECK-NEXT:    ntensor.sum {{.*}}[[D]]
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @readers("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xf64>
  %f = ntensor.reshape "flat" %p : tensor<1x1x1xf64> -> tensor<1xf64>
  %a = ntensor.linear "fc" %f {weight = #nopt.array<[[3]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.5 : tensor<f64>>>} : tensor<1xf64> -> tensor<1xf64>
  %y = ntensor.sum %a, %f : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A pool of integers stays, and nothing is recorded.
// CHECK-LABEL: ntensor.network @integers
// CHECK-NOT:     approximations
// CHECK-NOT:     ntensor.neuron "pool.spikes"
// CHECK:         ntensor.output
ntensor.network @integers("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1x1x1xi16>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi16>
  ntensor.output %p : tensor<1x1x1xi16>
}

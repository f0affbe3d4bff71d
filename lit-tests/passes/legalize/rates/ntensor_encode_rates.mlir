// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32 rate-window=16},ntensor-encode-rates{window=16}' | filecheck %s
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}' -o %t.mlir
// RUN: python -c 'import numpy; x = numpy.zeros((1, 30, 1, 4, 4), bool); x[:, :4] = True; numpy.save("%t.npy", x)'
// RUN: nopt %t.mlir -p 'ntensor-encode-rates{window=15},ntensor-quantize-counts{bits=1}' --verify-equivalence %t.npy -o /dev/null 2>&1 | filecheck %s --check-prefix=VERIFY

// Outputs are compared frame by frame. In ticks, the potential of the first 15 ticks causes spikes in the second, and the layer keeps nothing of it.
// VERIFY: ntensor-encode-rates{window=15}: "out" differs: agreement 1.0000, count error 0.5, first at sample 0, tick 1, index 0: 15 became 0
// VERIFY-NEXT: ntensor-quantize-counts{bits=1}: "out" differs

// A frame of 16 ticks: an input of spikes becomes one of counts of 5 bits. A bias is added in each tick, so the thresholds are 1.5 - 16 * 0.25 = -2.5
// and 1.5 - 16 * -0.5 = 9.5. With r = 2, an input of 1 / 2 reaches the threshold of 1. The counts of constant inputs are exact, so no error is known.
// CHECK:       ntensor.update @activation_16.f32 <count>
// CHECK:         fixed.from_real ceil %{{.*}} : f32 -> !fixed.int<0, 16>
// CHECK-LABEL: ntensor.network @layers("in" %in: tensor<2x!ntensor.count<5>>) -> ("out": tensor<1x!ntensor.count<5>>) attributes {tick_ns = 16000000 : i64
// CHECK-SAME:    #ntensor.approximation<"ntensor-encode-rates{window=16}", "spikes of 16 ticks become counts of a frame", ["if", "if2"], none, none, "1">
// CHECK-SAME:    ntensor.frame_ticks = 16 : i64
// CHECK-NEXT:    ntensor.linear "fc" %in {weight = #nopt.array<{{\[\[}}1.0, 2.0], [3.0, -1.0]] : tensor<2x2xf32>>} : tensor<2x!ntensor.count<5>> -> tensor<2xf32>
// CHECK-NEXT:    ntensor.neuron "if" @activation_16.f32(%fc) {family = "activation", canonical = {threshold = #nopt.array<[-2.5, 9.5] : tensor<2xf64>>, level = #nopt.array<1.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>}
// CHECK-SAME:    : (tensor<2xf32>) -> tensor<2x!ntensor.count<5>>
// CHECK-NEXT:    ntensor.linear "fc2"
// CHECK-NEXT:    ntensor.neuron "if2" @activation_16.f32(%fc2) {family = "activation", canonical = {threshold = #nopt.array<0.5 : tensor<f64>>, level = #nopt.array<0.5 : tensor<f64>>
nir.graph @layers("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.affine "fc" %in {weight = #nopt.array<[[1.0, 2.0], [3.0, -1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.25, -0.5] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.5, 1.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0, -1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %o = nir.if "if2" %b {r = #nopt.array<[2.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// An output without neurons: its bias is added 16 times in a frame. An input of reals stays one.
// CHECK-LABEL: ntensor.network @readout("in" %in: tensor<2xf32>) -> ("out": tensor<1xf32>)
// CHECK:         ntensor.linear "fc2" %if {weight = {{.*}}, bias = #nopt.array<[4.0] : tensor<1xf32>>} : tensor<2x!ntensor.count<5>> -> tensor<1xf32>
nir.graph @readout("in" %in: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0, 2.0], [3.0, -1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.5, 1.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.affine "fc2" %z {weight = #nopt.array<[[1.0, -1.0]] : tensor<1x2xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf32>
  nir.output %b : tensor<1xf32>
}

// -----

// A pool adds counts, and a bias before it is added in all of its elements: 4 - 16 * (4 * 0.25) = -12. Reshapes take over the type.
// CHECK-LABEL: ntensor.network @pool("in" %in: tensor<1x2x2x!ntensor.count<5>>) -> ("out": tensor<1x!ntensor.count<5>>)
// CHECK-NEXT:    ntensor.conv2d "conv" %in {weight
// CHECK-NOT:     bias
// CHECK:         ntensor.sum_pool2d "pool" %conv
// CHECK-NEXT:    ntensor.neuron "if" @activation_16.f32(%pool) {family = "activation", canonical = {threshold = #nopt.array<-12.0 : tensor<f64>>, level = #nopt.array<4.0 : tensor<f64>>
// CHECK-NEXT:    ntensor.reshape "flat" %if : tensor<1x1x1x!ntensor.count<5>> -> tensor<1x!ntensor.count<5>>
nir.graph @pool("in" %in: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xi1> -> tensor<1x2x2xf32>
  %p = nir.sum_pool2d "pool" %a {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x2xf32> -> tensor<1x1x1xf32>
  %z = nir.if "if" %p {r = #nopt.array<[[[1.0]]] : tensor<1x1x1xf32>>, v_threshold = #nopt.array<[[[4.0]]] : tensor<1x1x1xf32>>, v_reset = #nopt.array<[[[0.0]]] : tensor<1x1x1xf32>>} : tensor<1x1x1xf32> -> tensor<1x1x1xi1>
  %o = nir.flatten "flat" %z {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x1xi1> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// A window of rates of the same length is what a frame is: the mean of 16 ticks, added up over 16 ticks, is the count.
// CHECK-LABEL: ntensor.network @rates
// CHECK-NOT:     ntensor.delay
// CHECK:         ntensor.scale "if.rate.mean" %if {scale = #nopt.array<1.0 : tensor<f32>>} : tensor<1x!ntensor.count<5>> -> tensor<1xf32>
// CHECK-NEXT:    ntensor.linear "fc2"
nir.graph @rates("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, transmission = #nir.transmission<rate>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.if "if2" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

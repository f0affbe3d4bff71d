// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=3},ntensor-relay-max-pools' 2>&1 | filecheck %s
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-relay-max-pools{size=5}' 2>&1 | filecheck %s --check-prefix=SPIKES
// RUN: not nopt %s -p 'ntensor-relay-max-pools{size=0}' 2>&1 | filecheck %s --check-prefix=SIZE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=3},ntensor-relay-max-pools{size=5}' | filecheck %s --check-prefix=FITS

// 5 has no divisor up to 2 but 1.
// CHECK:      error[LEG186]: no layers compute a max pool of counts [max-pool-without-layers]
// CHECK-NEXT:   at: ntensor.max_pool2d "p"
// CHECK-NEXT:   expected: windows side by side, whose sizes are products of numbers up to 2
// CHECK-NEXT:   found: windows of 5 x 5, stride [5, 5], padding {{.*}}, after ntensor.neuron "if"

// SPIKES:      error[LEG186]: no layers compute a max pool of counts [max-pool-without-layers]
// SPIKES-NEXT:   at: ntensor.max_pool2d "p"
// SPIKES-NEXT:   expected: before or after a population of activations, which are equal within a channel

// SIZE:      error[LEG187]: the size of a pool is out of range [pool-size-out-of-range]
// SIZE-NEXT:   at: size=0
// SIZE-NEXT:   expected: 1 to 64

// FITS: ntensor.max_pool2d "p.relay.inputs"
nir.graph @pool("in" %in: tensor<1x5x5xi1>) -> ("out": tensor<1x1x1xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x5x5xi1> -> tensor<1x5x5xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x5x5xf32> -> tensor<1x5x5xi1>
  %p = nir.max_pool2d "p" %z {kernel_size = #nopt.array<[5, 5] : tensor<2xi64>>, stride = #nopt.array<[5, 5] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x5x5xi1> -> tensor<1x1x1xi1>
  nir.output %p : tensor<1x1x1xi1>
}

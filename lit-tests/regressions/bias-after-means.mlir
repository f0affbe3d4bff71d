// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-layers,ntensor-set-neuron-model{to=speck}' | filecheck %s

// The scale of the weights, times 9 for the pool, divided by 9 or multiplied by 1 / 9 differs in the last bit. The bias was refused as a fraction
// of the unit (LEG029). 127 is 0.017 / 9 * 67235.3, and 0.0013 * 67235.3 = 87.4.
// CHECK: ntensor.linear "fc" %{{.*}} {weight = #nopt.array<{{\[\[}}127]] : tensor<1x1xi8>>, bias = #nopt.array<[87] : tensor<1xi8>>
nir.graph @net("x" %x: tensor<1x3x3xf32>) -> ("out": tensor<1xi1>) {
  %p = nir.avg_pool2d "pool" %x {kernel_size = #nopt.array<[3, 3] : tensor<2xi64>>, stride = #nopt.array<[3, 3] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x3x3xf32> -> tensor<1x1x1xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x1xf32> -> tensor<1xf32>
  %a = nir.affine "fc" %f {weight = #nopt.array<[[0.017]] : tensor<1x1xf64>>, bias = #nopt.array<[0.0013] : tensor<1xf64>>} : tensor<1xf32> -> tensor<1xf32>
  %b = nir.if "n" %a {r = #nopt.array<constant(value = 1.0) : tensor<1xf32>>, v_threshold = #nopt.array<constant(value = 0.1) : tensor<1xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %b : tensor<1xi1>
}

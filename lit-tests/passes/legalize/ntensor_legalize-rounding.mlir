// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-legalize{device=c/int4}' | filecheck %s
// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8"},ntensor-legalize{device=c/int4}' | filecheck %s --check-prefix=PLAIN

// c/int4 recommends to round weights by data, which it does where the network keeps samples. The result keeps none.
// CHECK:     approximations = [{{.*}}"ntensor-quantize-weights{bits=4 per=spiking-neuron fit=error method=adaround}", "weights quantized to 4 bits, one scale per spiking-neuron; {{.*}}on 4 samples: count error
// CHECK-NOT: kept =

// Without samples weights become the nearest integers.
// PLAIN:     "ntensor-quantize-weights{bits=4 per=spiking-neuron fit=error}", "weights quantized to 4 bits, one scale per spiking-neuron"
// PLAIN-NOT: method=
ntensor.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.4, 0.45, 0.41, 3.0], [1.1, -2.3, 0.7, 0.2]] : tensor<2x4xf32>>} : tensor<4xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

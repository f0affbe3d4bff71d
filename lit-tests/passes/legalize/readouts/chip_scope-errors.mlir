// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-move-readout-to-host,ntensor-unroll-ticks{window=4}' 2>&1 | filecheck %s

// The counts of a frame do not specify the ticks of the spikes.
// CHECK:      error[LEG184]: the host computes ticks, and the chip sends counts of frames [readout-of-frames]
// CHECK-NEXT:   at: ntensor.linear "fc2"
// CHECK-NEXT:   expected: a tick of the chip for each tick of the network
// CHECK-NEXT:   found: frames of 4 ticks
nir.graph @frames("in" %x: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %b : tensor<1xf32>
}

// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=zero_next}' | filecheck %s

// Recurrent neurons of snnTorch keep v = 0 for the tick after a spike.
// CHECK:      ntensor.update @snntorch_lif.zero_hold
nir.graph @own("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// -----

// A Delay marks a recurrence that the user wrote, around neurons without one: they start the tick after a spike at 0.
// CHECK:      ntensor.update @snntorch_lif.zero_next
nir.graph @written("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %d = nir.delay "before" %z {delay = #nopt.array<0.001 : tensor<f32>>} : tensor<1xi1> -> tensor<1xi1>
  %r = nir.linear "rec" %d {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

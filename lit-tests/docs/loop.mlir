// RUN: nopt %s | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' | filecheck %s --check-prefix=SPIKES
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=CURRENT

// The network of the pages in docs/: one neuron that is its own input.

// CHECK: nir.graph @loop("input" %x: tensor<2xf32>) -> ("output": tensor<1xi1>)
// CHECK: nir.linear "again" %[[Z:.*]] {weight
// CHECK: %[[Z]] = nir.lif "lif"

// The delay of the loop is before or after the recurrent synapse.
// SPIKES: ntensor.network @loop
// SPIKES: %[[LATE:.*]] = ntensor.delay "lif.delay" %lif
// SPIKES: ntensor.linear "again" %[[LATE]]
// CURRENT: ntensor.network @loop
// CURRENT: %[[LATE:.*]] = ntensor.delay "again.delay" %again
// CURRENT: ntensor.linear "again" %lif

nir.graph @loop("input" %x: tensor<2xf32>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -1.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %r = nir.linear "again" %z {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %s = nir.sum %a, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {
    tau = #nopt.array<0.02 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

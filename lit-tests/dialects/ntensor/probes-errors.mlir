// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' -o %t.mlir
// RUN: exits 2 nopt %t.mlir -p 'ntensor-set-probes{probes="li:v","hidden:vv"},ntensor-legalize{device=spinnaker/spinn5},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: nopt %t.mlir -p 'ntensor-set-probes{probes="hidden:v"},ntensor-legalize{device=spinnaker/spinn5},convert-ntensor-to-machine' -o /dev/null
// RUN: exits 1 nopt %t.mlir -p 'ntensor-set-probes{probes=hidden},ntensor-legalize{device=asic/mesh},convert-ntensor-to-machine' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: exits 2 nopt %t.mlir -p 'ntensor-set-probes{probes="hidden:u","hidden:vv",li},convert-ntensor-to-c' 2>&1 | filecheck %s --check-prefix=STATE
// RUN: nopt %t.mlir -p 'ntensor-set-probes{probes="hidden:v",li},convert-ntensor-to-c' -o /dev/null
// RUN: nopt %t.mlir -p 'ntensor-set-probes{probes="hidden:v"}' | mutate 's/"hidden.v"/"gone", "hidden.v"/' - > %t.gone.mlir
// RUN: exits 1 nopt %t.gone.mlir -p convert-ntensor-to-c 2>&1 | filecheck %s --check-prefix=GONE

// The host computes a readout, and sPyNNaker records spikes and v. The help keeps what the device records.
// CHIP:      error[NTE023]: the host computes "li"
// CHIP-NEXT:   at: probe li:v
// CHIP-NEXT:   expected: a population of the chip: hidden
// CHIP-NEXT:   found: a readout, whose result is an output
// CHIP-NEXT:   help: nopt {{.*}} -p 'ntensor-set-probes{probes="hidden:v"},ntensor-legalize{device=spinnaker/spinn5},convert-ntensor-to-machine'
// CHIP:      error[NTE021]: "hidden" has no state vv
// CHIP-NEXT:   at: ntensor.neuron "hidden"
// CHIP-NEXT:   expected: hidden, hidden:v

// A device without probes returns outputs alone.
// NONE:      error[NTE022]: asic/mesh does not record spikes
// NONE-NEXT:   at: ntensor.neuron "hidden"
// NONE-NEXT:   expected: no probe, since the tools of this device return outputs alone (asic/mesh, probes)
// NONE-NEXT:   found: hidden

// A program records every state that a population has.
// STATE:      error[NTE021]: "hidden" has no state u
// STATE-NEXT:   at: ntensor.neuron "hidden"
// STATE-NEXT:   expected: hidden, hidden:v
// STATE-NEXT:   found: hidden:u
// STATE-NEXT:   help: nopt {{.*}} -p 'ntensor-set-probes{probes="hidden:v",li},convert-ntensor-to-c'
// STATE:      error[NTE021]: "hidden" has no state vv

// A pass replaced the population.
// GONE:      error[NTE023]: "gone" is not on the chip
// GONE-NEXT:   at: probe gone
// GONE-NEXT:   expected: a population of the chip: hidden, li
// GONE-NEXT:   found: passes replaced this population
// GONE-NEXT:   help: nopt {{.*}} -p 'ntensor-set-probes{probes="hidden:v"},convert-ntensor-to-c'
nir.graph @net("x" %x: tensor<2xi1>) -> ("y": tensor<2xf32>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5, 0.75], [1.0, 0.5]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.lif "hidden" %a {tau = #nopt.array<0.004 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %s {weight = #nopt.array<[[1.0, 0.5], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %o = nir.li "li" %b {tau = #nopt.array<0.004 : tensor<f32>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %o : tensor<2xf32>
}

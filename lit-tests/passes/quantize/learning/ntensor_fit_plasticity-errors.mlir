// A tolerance that the window exceeds: the help accepts it, or keeps the weights.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1 tolerance=0.01}' 2>&1 | filecheck %s --check-prefix=FAR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device="loihi2/loihi1" tolerance=0.02}' -o /dev/null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-freeze-plasticity{nodes=fc},ntensor-fit-plasticity{device=loihi2/loihi1 tolerance=0.01}' -o /dev/null
// FAR:      error[QUA063]: the learning window of a device deviates beyond the tolerance
// FAR-NEXT:   at: ntensor.linear "fc"
// FAR-NEXT:   expected: a relative deviation of at most 0.01
// FAR-NEXT:   found: 0.0196 of pairs and 0.0196 of triplets
// FAR-NEXT:   help: nopt {{.*}}ntensor-fit-plasticity{device="loihi2/loihi1" tolerance=0.02}'
// FAR-NEXT:   {{.*}}ntensor-freeze-plasticity{nodes=fc}

// A tolerance of 0, a device without sums of products, no device, a node that does not exist.
// RUN: exits 2 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1 tolerance=0}' 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=asic/mesh}' 2>&1 | filecheck %s --check-prefix=MESH
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1 nodes=fc2}' 2>&1 | filecheck %s --check-prefix=NODE
// ZERO:     error[QUA066]: a tolerance is out of range
// ZERO-NEXT:  at: tolerance
// ZERO-NEXT:  expected: a number above 0
// ZERO-NEXT:  found: 0
// ZERO-NEXT:  help: nopt {{.*}}tolerance=0.2
// MESH:     error[QUA065]: asic/mesh declares no sums of products of traces
// MESH-NEXT:  at: ntensor.linear "fc"
// MESH-NEXT:  expected: plasticity.NAME with the rule programmable, traces, trace_bits, mantissa_bits, exponent, impulse and register_bits (asic/mesh, plasticity)
// MESH-NEXT:  found: pairs (stdp)
// MESH-NEXT:  help: nopt {{.*}}ntensor-freeze-plasticity{nodes=fc}
// NONE:     error[DEV023]
// NODE:     error[ANA031]: ntensor-fit-plasticity has no node "fc2" to work on

// Bounds that a register does not have.
// RUN: mutate 's/w_min = 0.0/w_min = 0.125/' %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' 2>&1 | filecheck %s --check-prefix=BOUNDS
// BOUNDS:     error[QUA064]: the bounds of a learning rule are not the ends of a register
// BOUNDS-NEXT:  at: ntensor.linear "fc"
// BOUNDS-NEXT:  expected: w_min and w_max at 0 and 127.5 steps of the weights, which are excitatory
// BOUNDS-NEXT:  found: 0.125 and 1
// BOUNDS-NEXT:  help: nopt {{.*}}ntensor-freeze-plasticity{nodes=fc}
// BOUNDS-NEXT:  note: with this distance the bounds are 0 and 0.875

// Rules that need more than spikes have no window: changes in every tick, an efficacy, dendritic delays.
// RUN: mutate 's/#nir.rule<.*}>}/#nir.rule<"homeostatic", {gain = 0.1, target = 5.0, tau_rate = 1.0, w_min = 0.0, w_max = 1.0}>}/' %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' 2>&1 | filecheck %s --check-prefix=TICK
// RUN: mutate 's/tau_x = 0.1/delay = "dendritic", tau_x = 0.1/' %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' 2>&1 | filecheck %s --check-prefix=LATE
// TICK:     error[QUA062]: a learning rule has no window that is a function of spikes
// TICK-NEXT:  at: ntensor.linear "fc"
// TICK-NEXT:  expected: changes at spikes, by earlier spikes and the weight alone
// TICK-NEXT:  found: homeostatic, which has a change of weights in every tick
// TICK-NEXT:  help: nopt {{.*}}ntensor-freeze-plasticity{nodes=fc}
// LATE:     error[QUA062]
// LATE:       found: triplet, which has dendritic delays
nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf32>>, plasticity = #nir.rule<"triplet", {a2_plus = 0.01, a2_minus = 0.01, a3_plus = 0.01, a3_minus = 0.01, tau_plus = 0.02, tau_minus = 0.02, tau_x = 0.1, tau_y = 0.1, w_min = 0.0, w_max = 1.0}>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "out" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// The parameters are those of a soma and of up to four synapse populations, and the states are theirs.
// RUN: mutate '/one.0. of/s/tau_k = #nopt.array<0.001 : tensor<f64>>, //' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PARAMETER
// RUN: mutate '/one.0. of/s/v_d = #nopt.array<0.0 : tensor<f64>>, //' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STATE
// PARAMETER:      error[CHI013]: the neurons are not those of the chip
// PARAMETER-NEXT:   at: neurogrid.somas "one/0"
// PARAMETER-NEXT:   expected: dt, tau_s, tau_k, tau_d, i_in, g_inf, g_res, v_reset, lasts, and tau, e, sat, rise of at most 4 synapse populations
// PARAMETER-NEXT:   found: tau_s, tau_d, {{.*}}
// PARAMETER-NEXT:   help: compile the network again
// STATE:          error[CHI013]
// STATE:            expected: states g_exc, g_inh, g_k, left_exc, left_inh, v, v_d, wait
// STATE-NEXT:       found: left_exc, g_exc, left_inh, g_inh, g_k, v, wait

// Times are positive, and all numbers finite.
// RUN: mutate '/one.0. of/s/tau_s = #nopt.array<0.02 /tau_s = #nopt.array<0.0 /' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TIME
// RUN: mutate '/one.0. of/s/i_in = #nopt.array<0.0 /i_in = #nopt.array<"0x000000000000f07f" /' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FINITE
// TIME:           error[CHI007]: tau_s is out of range
// TIME:             expected: numbers above 0
// TIME-NEXT:        found: 0
// FINITE:         error[CHI007]: i_in is out of range
// FINITE:           expected: finite numbers
// FINITE-NEXT:      found: inf

// Events are binary.
// RUN: mutate 's/} : tensor<3xi1> {/} : tensor<3xi8> {/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BINARY
// BINARY:         error[NGR003]: events are binary
// BINARY-NEXT:      at: neurogrid.input "x/0"
// BINARY-NEXT:      expected: i1
// BINARY-NEXT:      found: i8

// A radius is a number from 0, one for each synapse population.
// RUN: mutate '/one.0. of/s/arbors = #nopt.array<\[0.0, 0.0\]/arbors = #nopt.array<[-1.0, 0.0]/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RADIUS
// RUN: mutate '/one.0. of/s/arbors = #nopt.array<\[0.0, 0.0\] : tensor<2xf64>/arbors = #nopt.array<[0.0, 0.0, 1.0] : tensor<3xf64>/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ARBORS
// RADIUS:         error[NGR004]: an arbor is not one of the chip
// RADIUS:           expected: radii from 0
// RADIUS-NEXT:      found: [-1.0, 0.0]
// ARBORS:         error[NGR004]
// ARBORS:           expected: reals of shape [2]
// ARBORS-NEXT:      found: float64 of shape [3]

// Events address sites, not axons.
// RUN: mutate 's/core 0 attributes {axons = 0/core 0 attributes {axons = 1/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:          error[CHI002]: a Neurocore has no input axons
// AXONS:            expected: 0
// AXONS-NEXT:       found: 1

// A radius has a limit.
// RUN: mutate '/one.0. of/s/arbors = #nopt.array<\[0.0/arbors = #nopt.array<[33.0/' %S/inputs/neurogrid.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE:           error[NGR004]: an arbor is not one of the chip
// WIDE:             expected: radii from 0 to 32

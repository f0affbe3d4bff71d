// A core counts its rows.
// RUN: mutate 's/axons = 3/axons = 5/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:      error[CHI002]: axons are not the rows of the core
// AXONS-NEXT:   at: spinnaker2.core
// AXONS-NEXT:   expected: 3
// AXONS-NEXT:   found: 5

// A core has one slice of a population.
// RUN: mutate '/neurons "two/,/^    }/c ^bb1:' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SLICE
// SLICE:      error[CHI012]: a core does not have one slice of a population
// SLICE-NEXT:   at: spinnaker2.core
// SLICE-NEXT:   expected: 1 slice
// SLICE-NEXT:   found: 0

// py-spinnaker2 has the model and its reset, and the equations have its parameters.
// RUN: mutate '/one.0. of/s/model = "lif_no_delay"/model = "izhikevich"/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MODEL
// RUN: mutate '/one.0. of/s/reset_to_v_reset/reset_by_magic/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RESET
// RUN: mutate '/one.0. of/s/model = "lif_no_delay"/model = "lif_curr_exp_no_delay"/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PARAMS
// MODEL:      error[CHI013]: the neurons are not those of the chip
// MODEL-NEXT:   at: spinnaker2.neurons "one/0"
// MODEL-NEXT:   expected: one of lif_no_delay, lif_curr_exp_no_delay, lif, lif_curr_exp
// MODEL-NEXT:   found: izhikevich
// MODEL-NEXT:   help: compile the network again
// RESET:      error[CHI013]
// RESET:        expected: reset_to_v_reset or reset_by_subtraction
// PARAMS:     error[CHI013]
// PARAMS:       expected: alpha_decay, i_offset, v_threshold, syn_decay
// PARAMS-NEXT:  found: alpha_decay, i_offset, v_threshold

// States start at 0.
// RUN: mutate '/one.0. of/s/initial = {v = #nopt.array<0.0/initial = {v = #nopt.array<1.0/' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=STATE
// STATE:      error[CHI013]
// STATE:        expected: v = 0 at the start
// STATE-NEXT:   found: another state

// Models without delays have the delay 0, which takes one tick.
// RUN: mutate 's/, machine.device = "spinnaker2.chip"//' '/fc1/s/delay = #nopt.array<0 /delay = #nopt.array<1 /' %S/inputs/spinnaker2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY:      error[CHI013]
// DELAY:        expected: the delay 0, as lif_no_delay has no delays
// DELAY-NEXT:   found: 1

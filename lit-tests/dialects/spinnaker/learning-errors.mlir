// RUN: mutate 's/words = #nopt.array<\[\[0, 2, 0, 536870912, 134217729\], \[0, 2, 0, 268435456, 536870913\]\] : tensor<2x5xi32>>/words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>/' %S/inputs/spinnaker.mlir > %t.mlir && nopt %t.mlir -o /dev/null

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
// RUN: mutate 's/spike_pair/spike_triplet/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: mutate 's/additive/linear/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=WEIGHTS
// RUN: mutate 's/0.000000e+00 : f64, 8.19/-1.0 : f64, 8.19/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BOUNDS
// RUN: mutate 's/0.000000e+00 : f64, 8.19/9000.0 : f64, 8.19/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=BOUNDS
// RUN: mutate 's/"additive", 2.0/"additive", 0.0/' %t.mlir | mutate 's/"additive", 0.000000e+01/"additive", 0.0/' - | not nopt - 2>&1 | filecheck %s --check-prefix=TAU
// TIMING:  timing of a learning rule are spike_pair or spike_nearest_pair, not spike_triplet
// WEIGHTS: weights of a learning rule are additive or multiplicative, not linear
// BOUNDS:  the bounds of a learning rule are from 0 to 65535, and w_min is below w_max
// TAU:     the numbers of a learning rule are finite, and its time constants positive

// The counts of a row are those of rows that learn.
// RUN: mutate 's/402657280, 0, 2, 65536/402657280, 0, 3, 65536/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: mutate 's/402657280, 0, 2, 65536/402657280, 1, 2, 65536/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: mutate 's/\[3, 0, 0, 402657280/[5, 0, 0, 402657280/' %t.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNT
// COUNT:      error[SPN001]: a synaptic row is not one of the chip
// COUNT:        expected: the form of rows that learn

// A core has one rule, and the device the rule.
// RUN: mutate 's/spinnaker.rows "fc2" \(.*\)$/spinnaker.rows "fc2" \1\n&/' '/spinnaker.core 1/s/axons = 2/axons = 4/' %t.mlir | python -c "import sys; t = sys.stdin.read(); print(t.replace('9.830400e+01', '9.9e+01', 1))" | not nopt - 2>&1 | filecheck %s --check-prefix=RULES
// RULES:      error[SPN009]: rows of a core have different learning rules
// RULES-NEXT:   at: spinnaker.rows "fc2"
// RULES-NEXT:   expected: that of fc2: #spinnaker.stdp<"spike_pair"

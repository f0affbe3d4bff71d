// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A core has one rule, and the device the rule.
// RUN: mutate 's/words = #nopt.array<\[\[0, 2, 0, 536870912, 134217729\], \[0, 2, 0, 268435456, 536870913\]\] : tensor<2x5xi32>>/words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>/' %S/inputs/spinnaker.mlir > %t.mlir && nopt %t.mlir -o /dev/null
// RUN: mutate 's/spinnaker.rows "fc2" \(.*\)$/spinnaker.rows "fc2" \1\n&/' '/spinnaker.core 1/s/axons = 2/axons = 4/' %t.mlir | python -c "import sys; t = sys.stdin.read(); print(t.replace('9.830400e+01', '9.9e+01', 1))" | not nopt - 2>&1 | filecheck %s --check-prefix=RULES
// RULES:      error[SPN009]: rows of a core have different learning rules
// RULES-NEXT:   at: spinnaker.rows "fc2"
// RULES-NEXT:   expected: that of fc2: #spinnaker.stdp<"spike_pair"

// -----

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: timing of a learning rule are spike_pair or spike_nearest_pair or pfister_triplet, not spike_triplet}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_triplet", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: weights of a learning rule are additive or multiplicative, not linear}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "linear", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: the bounds of a learning rule are from 0 to 65535, and w_min is below w_max}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, -1.0 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: the bounds of a learning rule are from 0 to 65535, and w_min is below w_max}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 9000.0 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// A rule that sPyNNaker does not have, a bound below 0, bounds in another order, and a time constant of 0.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: the numbers of a learning rule are finite, and its time constants positive}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 0.0 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// The counts of a row are those of rows that learn.
// CHECK: error[SPN001]: a synaptic row is not one of the chip
// CHECK:   expected: the form of rows that learn
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 3, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// The counts of a row are those of rows that learn.
// CHECK: error[SPN001]: a synaptic row is not one of the chip
// CHECK:   expected: the form of rows that learn
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 1, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// The counts of a row are those of rows that learn.
// CHECK: error[SPN001]: a synaptic row is not one of the chip
// CHECK:   expected: the form of rows that learn
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[5, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// CHECK: error[SPN001]: a synaptic row is not one of the chip
// CHECK:   expected: terms of triplets with the timing pfister_triplet, and with no other
// CHECK:   found: no terms
// Triplets without their terms.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"pfister_triplet", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}
    }
  }
}

// -----

// Terms of triplets of another timing.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[SPN001]}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>, triplet = #spinnaker.triplet<50.0 : f64, 40.0 : f64, 163.84 : f64, 32.768 : f64>}
    }
  }
}

// -----

// A slow trace without a time constant.
spinnaker.chip @net {
  spinnaker.core 1 {
    spinnaker.neurons "two/0" of "two" @cell : tensor<2xi1> {
      // expected-error @below {{[COR024]: the numbers of triplets are finite, and their time constants positive}}
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"pfister_triplet", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>, triplet = #spinnaker.triplet<0.0 : f64, 40.0 : f64, 163.84 : f64, 32.768 : f64>}
    }
  }
}

// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>}/delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<RULE>}/' %S/inputs/loihi2.mlir > %t

// The rules of a core have one epoch; those of different cores are independent.
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 2/' 's/"sparse4", num_weight_bits = 4/"sparse8", num_weight_bits = 8/' 's/delay = #nopt.array<3 : tensor<i32>>/&, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 3>/' %t | nopt - -o /dev/null

// A device that lists no rule of this kind.
// RUN: python -c "import json; device = json.load(open('%root/targets/loihi2/devices/oheo_gulch.json')); del device['plasticity']['sum_of_products']; json.dump(device, open('%t.json', 'w'))"
// RUN: mutate 's/RULE/dw = "x1 * y0"/' 's@machine.device = "loihi2/oheo_gulch"@machine.device = "%t.json"@' %t | not nopt - 2>&1 | filecheck %s --check-prefix=DEVICE
// DEVICE:      error[CHI022]: loihi2/oheo_gulch does not have this learning rule
// DEVICE-NEXT:   at: loihi2.dense "fc1"
// DEVICE-NEXT:   expected: pairs (stdp) (loihi2/oheo_gulch, plasticity)
// DEVICE-NEXT:   found: loihi2.learning_rule
// DEVICE-NEXT:   help: compile the network again, after ntensor-freeze-plasticity

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an operator, a number or a variable
// CHECK-NEXT:   found: 'z' at column 11
// CHECK-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0 * z">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: +, - or *
// CHECK-NEXT:   found: 'x1 * y0' at column 3
// CHECK-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "2 x1 * y0">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dd: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a factor: a variable, a number, or a bracket
// CHECK-NEXT:   found: '-3' at column 6
// CHECK-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dd = "x0 * -3">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dt: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: +, - or *
// CHECK-NEXT:   found: '2 * x1' at column 3
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dt = "u12 * x1">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a power of 2
// CHECK-NEXT:   found: '3^2' at column 6
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * 3^2">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an exponent
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * 2^x1">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a factor: a variable, a number, or a bracket
// CHECK-NEXT:   found: the end
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 *">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a factor: a variable, a number, or a bracket
// CHECK-NEXT:   found: the end
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "">}
    }
  }
}

// -----

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// CHECK:      error[LOI010]: dw: a learning rule cannot be read
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: ')'
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI010]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (x1 + 3">}
    }
  }
}

// -----

// A rule without an equation.
// CHECK:      error[LOI011]: a learning rule changes nothing
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: at least one of dw, dd, dt
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: add dw = "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI011]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<x1_tau = 3>}
    }
  }
}

// -----

// Each product has a dependency, also the second one; one in brackets is none.
// CHECK:      error[LOI012]: dw: a product of a learning rule has no dependency
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: x0, y0 or one of u0 to u9 as a factor, outside of brackets
// CHECK-NEXT:   found: 2^-7 * y1
// CHECK-NEXT:   help: 2^-7 * y1 * x0, or 2^-7 * y1 * y0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI012]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0 - 2^-7 * y1">}
    }
  }
}

// -----

// Each product has a dependency, also the second one; one in brackets is none.
// CHECK:      error[LOI012]: dw: a product of a learning rule has no dependency
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: x0, y0 or one of u0 to u9 as a factor, outside of brackets
// CHECK-NEXT:   found: x1 * (y0 + 1)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI012]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * (y0 + 1)">}
    }
  }
}

// -----

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// CHECK:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// CHECK-NEXT:   found: 9 * 2^0 in 9 * x0
// CHECK-NEXT:   help: divide the impulse of a trace, and multiply the constant by the same number, or round it
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI013]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "9 * x0">}
    }
  }
}

// -----

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// CHECK:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// CHECK-NEXT:   found: 8 * 2^8 in 8 * 2^8 * x0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI013]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "8 * 2^8 * x0">}
    }
  }
}

// -----

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// CHECK:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// CHECK-NEXT:   found: 1 * 2^-8 in 2^-8 * x0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI013]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "2^-8 * x0">}
    }
  }
}

// -----

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// CHECK:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// CHECK-NEXT:   found: 1 * 2^9 in 2^9 * x0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI013]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "2^9 * x0">}
    }
  }
}

// -----

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// CHECK:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// CHECK-NEXT:   found: 2 * 2^-8 in 2 * 2^-8 * x0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI013]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "2 * 2^-8 * x0">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an integer from -128 to 127 added to x1
// CHECK-NEXT:   found: (x1 + 128)
// CHECK-NEXT:   help: change the constant
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (x1 + 128)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an integer from -128 to 127 added to y1
// CHECK-NEXT:   found: (y1 - 129)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (y1 - 129)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an even integer from -256 to 254 added to w
// CHECK-NEXT:   found: (w + 3)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (w + 3)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an even integer from -256 to 254 added to t
// CHECK-NEXT:   found: (t + 256)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (t + 256)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: an integer from -128 to 127 added to x1
// CHECK-NEXT:   found: (x1 + 2^-1)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (x1 + 2^-1)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a variable and a constant in a bracket
// CHECK-NEXT:   found: (x1 - y1)
// CHECK-NEXT:   help: multiply out the bracket
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (x1 - y1)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a variable in the bracket
// CHECK-NEXT:   found: (1 + 2)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (1 + 2)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: sgn of w, d or t, without a minus sign
// CHECK-NEXT:   found: sgn(x1)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * sgn(x1)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: sgn of w, d or t, without a minus sign
// CHECK-NEXT:   found: sgn(-w)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * sgn(-w)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a bracket with a constant
// CHECK-NEXT:   found: (-x1)
// CHECK-NEXT:   help: remove the bracket: x1
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (-x1)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: a bracket with a constant
// CHECK-NEXT:   found: (y0)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (y0)">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: u as the first dependency of its product
// CHECK-NEXT:   found: u1
// CHECK-NEXT:   help: put u1 before x0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * u1 * x1">}
    }
  }
}

// -----

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// CHECK:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: u outside of brackets
// CHECK-NEXT:   found: (u1 + 1)
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI014]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x0 * (u1 + 1)">}
    }
  }
}

// -----

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// CHECK:      error[LOI015]: x1_impulse: a trace of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 0 to 127, a multiple of 2^-8
// CHECK-NEXT:   found: 127.00390625
// CHECK-NEXT:   help: x1_impulse = 15.0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI015]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", x1_impulse = 127.00390625>}
    }
  }
}

// -----

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// CHECK:      error[LOI015]: y3_impulse: a trace of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 0 to 127, a multiple of 2^-8
// CHECK-NEXT:   found: -1.0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI015]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", y3_impulse = -1.0>}
    }
  }
}

// -----

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// CHECK:      error[LOI015]: x2_impulse: a trace of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 0 to 127, a multiple of 2^-8
// CHECK-NEXT:   found: 0.001
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI015]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", x2_impulse = 0.001>}
    }
  }
}

// -----

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// CHECK:      error[LOI015]: y1_tau: a trace of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 0 to 65535 ticks
// CHECK-NEXT:   found: 65536.0
// CHECK-NEXT:   help: y1_tau = 8191.0
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI015]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", y1_tau = 65536>}
    }
  }
}

// -----

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// CHECK:      error[LOI015]: y2_tau: a trace of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 0 to 65535 ticks
// CHECK-NEXT:   found: -0.5
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI015]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", y2_tau = -0.5>}
    }
  }
}

// -----

// An epoch has 6 bits.
// CHECK:      error[LOI016]: t_epoch: the epoch of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 1 to 63 ticks
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: t_epoch = 1
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI016]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 0>}
    }
  }
}

// -----

// An epoch has 6 bits.
// CHECK:      error[LOI016]: t_epoch: the epoch of a learning rule is out of range
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: 1 to 63 ticks
// CHECK-NEXT:   found: 64
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI016]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 64>}
    }
  }
}

// -----

// One decimation exponent for all equations.
// CHECK:      error[LOI017]: a learning rule has several decimation exponents
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: one u in all equations
// CHECK-NEXT:   found: dw: u1 * x1; dt: u2 * y1
// CHECK-NEXT:   help: replace the others by u1
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI017]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "u1 * x1", dt = "u2 * y1">}
    }
  }
}

// -----

// Weights that learn have 8 bits.
// CHECK:      error[LOI018]: weights that learn have too few bits
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: num_weight_bits = 8
// CHECK-NEXT:   found: num_weight_bits = 7
// CHECK-NEXT:   help: compile the network again, with weights of 8 bits
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[LOI018]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense7", num_weight_bits = 7 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[4, -16], [0, 8]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0">}
    }
  }
}

// -----

// The rules of a core have one epoch; those of different cores are independent.
// CHECK:      error[LOI019]: the learning rules of a core have different epochs
// CHECK-NEXT:   at: loihi2.dense "fc2"
// CHECK-NEXT:   expected: t_epoch = 2, as of fc1
// CHECK-NEXT:   found: t_epoch = 3
// CHECK-NEXT:   help: t_epoch = 2, or a population of another core
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 2>}
      // expected-error @below {{[LOI019]}}
      loihi2.dense "fc2" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 3>}
    }
  }
}

// -----

// The rules of a core have one epoch; those of different cores are independent.
// This is accepted.
ntensor.update @fire <spike> inputs ["a"] params ["du", "vth", "bias"] raw ["du", "vth", "bias"] derive {
^bb0(%dt: f64, %du: f64, %vth: f64, %bias: f64):
  ntensor.derived %du, %vth, %bias : f64, f64, f64
} initial {
^bb0(%du_1: !fixed.int<0, 4095>, %vth_1: !fixed.int<0, 131071>, %bias_1: !fixed.int<-4096, 4095>):
  ntensor.initial
} step {
^bb0(%a: !fixed.int<0, 1>, %du_2: !fixed.int<0, 4095>, %vth_2: !fixed.int<0, 131071>, %bias_2: !fixed.int<-4096, 4095>):
  %z = arith.constant true
  ntensor.emit %z : i1
}
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 2>}
      loihi2.dense "fc2" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 2>}
    }
  }
}

// -----

// An entry that a rule does not have, one that occurs twice, and a text in place of a number.
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[COR024]: expected one of dw, dd, dt, x1_impulse, x1_tau, x2_impulse, x2_tau, y1_impulse, y1_tau, y2_impulse, y2_tau, y3_impulse, y3_tau, t_epoch, each once}}
      loihi2.dense "fc1" {delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", x3_tau = 1>}
    }
  }
}

// -----

// An entry that a rule does not have, one that occurs twice, and a text in place of a number.
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[COR024]: expected one of dw, dd, dt, x1_impulse, x1_tau, x2_impulse, x2_tau, y1_impulse, y1_tau, y2_impulse, y2_tau, y3_impulse, y3_tau, t_epoch, each once}}
      loihi2.dense "fc1" {delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", dw = "x1 * x0">}
    }
  }
}

// -----

// An entry that a rule does not have, one that occurs twice, and a text in place of a number.
loihi2.chip @net {
  loihi2.neuro_core 0 {
    loihi2.compartments "lif1/0" of "lif1" @fire : tensor<2xi1> {
      // expected-error @below {{[COR024]: integer or float literal expected}}
      loihi2.dense "fc1" {delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", x1_tau = "20">}
    }
  }
}

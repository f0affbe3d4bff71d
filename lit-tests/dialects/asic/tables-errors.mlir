// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// An exponent must make integers of 64 bits: the weight -7 needs 4 bits, and half of 3 is not an integer.
// CHECK:      error[CHI001]: weight_exponent is out of range
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: at most 59, and integers as weights
// CHECK-NEXT:   found: 60
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = 60 : i64}
    }
  }
}

// -----

// An exponent must make integers of 64 bits: the weight -7 needs 4 bits, and half of 3 is not an integer.
// CHECK: error[CHI001]: weight_exponent is out of range
// CHECK:   found: -1
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = -1 : i64}
    }
  }
}

// -----

// A matrix of weights must have a row for each axon and a column for each neuron.
// CHECK:      error[CHI001]: weight has another shape
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: [2, 2]
// CHECK-NEXT:   found: [1, 3]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7, 0]] : tensor<1x3xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The axons of a table must ascend.
// CHECK:      error[CHI001]: axons are not those of the core
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: ascending indices below 2
// CHECK-NEXT:   found: [1, 0]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[1, 0] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The axons of a table must be those of its core.
// CHECK:      error[CHI001]: axons are not those of the core
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: ascending indices below 2
// CHECK-NEXT:   found: [0, 2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 2] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A synapse must end at a neuron of the group.
// CHECK:      error[CHI001]: neuron is not in the table
// CHECK-NEXT:   at: asic.sparse "fc1"
// CHECK-NEXT:   expected: indices below 1
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[0] : tensor<1xi32>>, params = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}

// -----

// A port must be an operand.
// CHECK:      error[CHI001]: port is not an operand of the neuron
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: 0 or more
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = -1 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A sparse table has one delay, or one for each synapse.
// CHECK:      error[CHI001]: delay has another shape
// CHECK-NEXT:   at: asic.sparse "fc1"
// CHECK-NEXT:   expected: [] or [1]
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[0] : tensor<1xi32>>, params = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// A delay must not be negative.
// CHECK:      error[CHI001]: delay has other numbers
// CHECK-NEXT:   at: asic.sparse "fc1"
// CHECK-NEXT:   expected: integers from 0
// CHECK-NEXT:   found: -1
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[0] : tensor<1xi32>>, params = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<-1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// The delays of a matrix must broadcast to it.
// CHECK:      error[CHI001]: delay has another shape
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: [], or a shape that broadcasts to [2, 2]
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<[1, 1] : tensor<2xi32>>}
    }
  }
}

// -----

// Only real sums have a scale.
// CHECK:      error[CHI001]: scale is not one of real sums
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: the types of sums and of weights
// CHECK-NEXT:   found: no type
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {scale = #nopt.array<0.5 : tensor<f64>>, port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Only real sums have a divisor.
// CHECK:      error[CHI001]: divisor is not one of real sums
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: 1 or more, with sums
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {divisor = 4 : i64, port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Integer sums have no real weights.
// CHECK:      error[CHI001]: weight has other numbers
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: integers, without sums
// CHECK-NEXT:   found: float32
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3.0, -7.5], [0.0, 5.0]] : tensor<2x2xf32>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A bias must have a number for each neuron.
// CHECK:      error[CHI001]: bias has another shape
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: [] or [2]
// CHECK-NEXT:   found: [3]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.dense "fc1" {bias = #nopt.array<[1, 2, 3] : tensor<3xi8>>, port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Synapses must be sorted by axon, then by neuron.
// CHECK:      error[CHI001]: synapses are not sorted
// CHECK-NEXT:   at: asic.sparse "fc1"
// CHECK-NEXT:   expected: by axon, then by neuron
// CHECK-NEXT:   found: another order
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      asic.sparse "fc1" {axon = #nopt.array<[1, 0] : tensor<2xi32>>, neuron = #nopt.array<[0, 1] : tensor<2xi32>>, port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[3, -7] : tensor<2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The lists of destinations must have one length.
// CHECK:      error[CHI001]: axon has another shape
// CHECK-NEXT:   at: asic.output_axons
// CHECK-NEXT:   expected: [3]
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.input "input/0" of "input" at 0 : tensor<2xi1> {
    // expected-error @below {{[CHI001]}}
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
}

// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Each group must have a name of its own.
// CHECK:      error[CHI002]: two groups have the same name
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: each name once
// CHECK-NEXT:   found: lif1/0
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    // expected-error @below {{[CHI002]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Each core must be listed once.
// CHECK:      error[CHI002]: two cores have the same number
// CHECK-NEXT:   at: asic.core
// CHECK-NEXT:   expected: each core once
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  asic.core 0 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// The groups must hold each neuron of a population once.
// CHECK:      error[CHI002]: the groups are not the population
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: each of 3 neurons once
// CHECK-NEXT:   found: 3 in 2 groups of type tensor<3xi1>, tensor<3xi1>
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[CHI002]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[1] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// An output must have a source.
// CHECK:      error[CHI002]: an output of nothing
// CHECK-NEXT:   at: asic.output "output"
// CHECK-NEXT:   expected: one of input, lif1
// CHECK-NEXT:   found: lif2
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  asic.output "output" of "lif2" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// A route must start at a group or input.
// CHECK:      error[CHI002]: a route of nothing
// CHECK-NEXT:   at: asic.route "input/1"
// CHECK-NEXT:   expected: one of input/0, lif1/0, lif1/1
// CHECK-NEXT:   found: input/1
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  asic.route "input/1" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>}
}

// -----

// A destination must belong to a neuron.
// CHECK:      error[CHI002]: a destination belongs to no neuron
// CHECK-NEXT:   at: asic.output_axons
// CHECK-NEXT:   expected: a neuron below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    // expected-error @below {{[CHI002]}}
    asic.output_axons {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
}

// -----

// A parameter is one number, or one for each neuron.
// CHECK:      error[CHI002]: parameter a has another shape
// CHECK-NEXT:   at: asic.neurons "lif1/1"
// CHECK-NEXT:   expected: [] or [1]
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  asic.core 2 {
    // expected-error @below {{[CHI002]}}
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[0] : tensor<1xi32>>, params = {a = #nopt.array<[1, 2] : tensor<2xi32>>}, initial = {}} : tensor<1xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Links are rows of numbers.
// CHECK:      error[CHI002]: links have another shape
// CHECK-NEXT:   at: asic.route "input/0"
// CHECK-NEXT:   expected: [links, columns]
// CHECK-NEXT:   found: [4]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  // expected-error @below {{[CHI002]}}
  asic.route "input/0" {links = #nopt.array<[0, 0, 1, 0] : tensor<4xi64>>}
}

// -----

// An output has one delay, or one for each neuron.
// CHECK:      error[CHI002]: delay has another shape
// CHECK-NEXT:   at: asic.output "output"
// CHECK-NEXT:   expected: [] or [3]
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: compile the network again
asic.chip @net {
  // expected-error @below {{[CHI002]}}
  asic.output "output" of "lif1" {delay = #nopt.array<[0, 1] : tensor<2xi64>>} : tensor<3xi1>
}

// -----

// The update of a group must be defined.
// CHECK:      error[CHI002]: the update is not defined
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: an ntensor.update of the module
// CHECK-NEXT:   found: @other
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[CHI002]}}
    asic.neurons "lif1/0" of "lif1" @other attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The states of a group must be those of its update.
// CHECK:      error[CHI002]: the states are not those of the update
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: none
// CHECK-NEXT:   found: v
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[CHI002]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {v = #nopt.array<0 : tensor<i32>>}} : tensor<2xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A port must be an operand of the update.
// CHECK:      error[CHI002]: port is not an operand of the neuron
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: a number below 1
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI002]}}
      asic.dense "fc1" {port = 1 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A route must start at neurons of its group.
// CHECK:      error[CHI002]: a route of other neurons
// CHECK-NEXT:   at: asic.route "input/0"
// CHECK-NEXT:   expected: neurons below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  // expected-error @below {{[CHI002]}}
  asic.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>, neurons = #nopt.array<[2] : tensor<1xi32>>}
}

// -----

// The type of an output must be that of its population.
// CHECK:      error[CHI002]: the type of an output differs from its source
// CHECK-NEXT:   at: asic.output "output"
// CHECK-NEXT:   expected: 3 neurons of i1
// CHECK-NEXT:   found: 4 neurons of i1
// CHECK-NEXT:   help: compile the network again
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  asic.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<4xi1>
}

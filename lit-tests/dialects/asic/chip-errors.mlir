// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A table may have weights of both signs only where the device has such a table. Here 3 and -7 are in one table.
// CHECK:      error[ASI008]: asic/host has no table for the signs of these weights
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: excitatory or inhibitory (asic/host, synapse.sign_modes)
// CHECK-NEXT:   found: mixed
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/host"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[ASI008]}}
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A table may have weights of both signs only where the device has such a table. Here 3 and -7 are in one table.
// This is accepted.
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/host"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[-3, -7], [0, -5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A table may have an exponent of weights only where the device has one, and only within its range.
// CHECK:      error[CHI006]: exponent of weights that asic/mesh does not have
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: at least 0 and at most 0 (asic/mesh, synapse.weight_exponent)
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI006]}}
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = 1 : i64}
    }
  }
}

// -----

// A table may have an exponent of weights only where the device has one, and only within its range.
// CHECK:      error[CHI006]: exponent of weights that asic/kinds does not have
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: at least 0 and at most 8 (asic/kinds, synapse.weight_exponent.min: synthetic, for tests; not available in silicon)
// CHECK-NEXT:   found: -1
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/kinds"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI006]}}
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[2, -6], [0, 4]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, weight_exponent = -1 : i64}
    }
  }
}

// -----

// A destination must be a core of the chip.
// CHECK:      error[CHI003]: a destination is not a core
// CHECK-NEXT:   at: asic.output_axons
// CHECK-NEXT:   expected: one of [0, 2]
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    // expected-error @below {{[CHI003]}}
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 3] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
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
}

// -----

// A destination must be an input axon of its core.
// CHECK:      error[CHI003]: a destination is not an axon
// CHECK-NEXT:   at: asic.output_axons
// CHECK-NEXT:   expected: an axon below 1 of core 2
// CHECK-NEXT:   found: 1
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    // expected-error @below {{[CHI003]}}
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 1] : tensor<3xi32>>}
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
}

// -----

// An input axon must have a sender.
// CHECK:      error[CHI003]: an input axon has no sender
// CHECK-NEXT:   at: asic.core
// CHECK-NEXT:   expected: a sender for each input axon
// CHECK-NEXT:   found: none for axon 1
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  // expected-error @below {{[CHI003]}}
  asic.core 2 attributes {axons = 2 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// The format of a table must have its layout.
// CHECK:      error[CHI004]: asic/mesh has no such format of synapses
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: a format with the layout dense: dense (asic/mesh, synapse.formats)
// CHECK-NEXT:   found: sparse
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI004]}}
      asic.dense "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The format of a table must be one of the device.
// CHECK:      error[CHI004]: asic/mesh has no such format of synapses
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: a format with the layout dense: dense (asic/mesh, synapse.formats)
// CHECK-NEXT:   found: compact
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI004]}}
      asic.dense "fc1" {format = "compact", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Weights must fit into the type of the format: -129 needs 9 bits, -128 needs 8.
// CHECK:      error[CHI004]: a weight is wider than the format dense
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: i8 (asic/mesh, synapse.formats.dense.dtype)
// CHECK-NEXT:   found: 9 bits
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI004]}}
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -129], [0, 5]] : tensor<2x2xi16>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A route must reach each core to which events are sent.
// CHECK:      error[ASI005]: an event is not delivered
// CHECK-NEXT:   at: asic.input "input/0"
// CHECK-NEXT:   expected: a route from core 0 (0, 0) to core 2 (2, 0)
// CHECK-NEXT:   found: none for neuron 1
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  // expected-error @below {{[ASI005]}}
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Links must connect neighbours.
// CHECK:      error[ASI005]: a link does not connect neighbours
// CHECK-NEXT:   at: asic.route "input/0"
// CHECK-NEXT:   expected: a tree of links from its core
// CHECK-NEXT:   found: link 0
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  // expected-error @below {{[ASI005]}}
  asic.route "input/0" {links = #nopt.array<[[0, 0, 2, 0]] : tensor<1x4xi64>>}
}

// -----

// Links must have the form of the topology.
// CHECK:      error[ASI005]: a link has another form
// CHECK-NEXT:   at: asic.route "input/0"
// CHECK-NEXT:   expected: [links, 4] of [x, y, next x, next y], or [links, 6] with the chip before x
// CHECK-NEXT:   found: link 0
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  // expected-error @below {{[ASI005]}}
  asic.route "input/0" {links = #nopt.array<[[0, 2]] : tensor<1x2xi64>>}
}

// -----

// The core at which an input enters must exist: the device has 36.
// CHECK:      error[CHI003]: the device has no such core
// CHECK-NEXT:   at: asic.input "input/0"
// CHECK-NEXT:   expected: a usable core below 36
// CHECK-NEXT:   found: 36
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh"} {
  // expected-error @below {{[CHI003]}}
  asic.input "input/0" of "input" at 36 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A delay between neurons must not be shorter than the device has; inputs can be sent early.
// CHECK:      error[CHI005]: delay below the minimum of asic/mesh
// CHECK-NEXT:   at: asic.sparse "fc1"
// CHECK-NEXT:   expected: at least 2 ticks (asic/mesh, synapse.delay.min: set by the user)
// CHECK-NEXT:   found: 1 tick
// CHECK-NEXT:   help: compile the network again
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["synapse.delay.min=2"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.output_axons {neuron = #nopt.array<[0] : tensor<1xi32>>, core = #nopt.array<[2] : tensor<1xi32>>, axon = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      // expected-error @below {{[CHI005]}}
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Four cores at each position: core 2 shares the router of core 0, but events for it need a route of their own, which has no links.
// This is accepted.
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  asic.route "input/0" {links = #nopt.array<"0x" : tensor<0x4xi64>>}
}

// -----

// Four cores at each position: core 2 shares the router of core 0, but events for it need a route of their own, which has no links.
// CHECK:      error[ASI005]: an event is not delivered
// CHECK-NEXT:   at: asic.input "input/0"
// CHECK-NEXT:   expected: a route from core 0 (0, 0, slot 0) to core 2 (0, 0, slot 2)
// CHECK-NEXT:   found: none for neuron 1
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4"]} {
  // expected-error @below {{[ASI005]}}
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Core 4 is at the next position, which a route without links does not reach.
// This is accepted.
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 4] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 4 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  asic.route "input/0" {links = #nopt.array<[[0, 0, 1, 0], [1, 0, 2, 0]] : tensor<2x4xi64>>}
}

// -----

// Core 4 is at the next position, which a route without links does not reach.
// CHECK: error[ASI005]: an event is not delivered
// CHECK:   expected: a route from core 0 (0, 0, slot 0) to core 4 (1, 0, slot 0)
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["topology.mesh.width=3", "topology.mesh.height=3", "topology.mesh.cores=4"]} {
  // expected-error @below {{[ASI005]}}
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 4] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
  asic.core 4 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {format = "sparse", port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

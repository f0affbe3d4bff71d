// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Windows of tables in the convolution layout are counted.
// RUN: nopt %S/../../targets/asic/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | mutate 's/machine.device = #nopt.device<[^>]*>/machine.device = "asic\/kinds", machine.set = ["synapse.convolution.padding=0"]/' - | not nopt - 2>&1 | filecheck %s --check-prefix=WINDOW
// WINDOW:      error[DEV016]: convolution padding 1 exceeds the limit 0
// WINDOW-NEXT:   at: asic.neurons "maps/0"
// WINDOW-NEXT:   expected: at most 0 elements (asic/kinds, synapse.convolution.padding: set by the user)
// WINDOW-NEXT:   found: 1 element
// WINDOW-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// -----

// The longest delay is 16 ticks.
// CHECK:      error[DEV016]: delay 17 exceeds the limit 16
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: at most 16 ticks (asic/mesh, synapse.delay.max: synthetic, for tests; not available in silicon)
// CHECK-NEXT:   found: 17 ticks
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
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
    // expected-error @below {{[DEV016]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<17 : tensor<i32>>}
    }
  }
}

// -----

// Neurons of a group are counted.
// CHECK:      error[DEV016]: neurons 2 exceed the limit 1
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: at most 1 neuron (asic/mesh, core.neurons: set by the user)
// CHECK-NEXT:   found: 2 neurons
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["core.neurons=1"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[DEV016]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Input axons are counted.
// CHECK:      error[DEV016]: input axons 2 exceed the limit 1
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: at most 1 axon (asic/mesh, core.input_axons: set by the user)
// CHECK-NEXT:   found: 2 axons
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["core.input_axons=1"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[DEV016]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// The synapses of a neuron are counted.
// CHECK:      error[DEV016]: fan-in 2 exceeds the limit 1
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: at most 1 synapse (asic/mesh, core.fan_in: set by the user)
// CHECK-NEXT:   found: 2 synapses
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/mesh", machine.set = ["core.fan_in=1"]} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[DEV016]}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// A contract holds for what is counted: `delay <= 15 or weight_bits <= 16` of asic/multi.
// CHECK:      error[DEV021]: a contract of the device does not hold
// CHECK-NEXT:   at: asic.neurons "lif1/0"
// CHECK-NEXT:   expected: delay <= 15 or weight_bits <= 16 (asic/multi, constraints: synthetic, for tests; not available in silicon)
// CHECK-NEXT:   found: ! delay <= 15 or weight_bits <= 16: fails
// CHECK-NEXT: !   delay <= 15: fails, 1 too many
// CHECK-NEXT: delay = 16
// CHECK-NEXT: !   weight_bits <= 16: fails, 16 bits too many
// CHECK-NEXT: weight_bits = 32 bits
// CHECK-NEXT:   help: delay at most 15 or weight_bits at most 16 bits
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/multi"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    // expected-error @below {{[DEV021]}}
    // expected-note @below {{delay = 16, limit 15: 1 too many}}
    // expected-note @below {{weight_bits = 32 bits, limit 16 bits: 16 bits too many}}
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {axon = #nopt.array<[0, 0, 1] : tensor<3xi32>>, neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, sums = f32, format = "float", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[3.0, -7.0, 5.0] : tensor<3xf32>>, delay = #nopt.array<16 : tensor<i32>>}
    }
  }
  asic.core 2 attributes {axons = 1 : i64} {
    asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {
      asic.sparse "fc1" {port = 0 : i64, axons = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[4] : tensor<1xi8>>, delay = #nopt.array<1 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, neuron = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// The device edge has no learning rule.
// CHECK:      error[CHI022]: asic/edge does not have this learning rule
// CHECK-NEXT:   at: asic.dense "fc1"
// CHECK-NEXT:   expected: weights without a rule (asic/edge, plasticity)
// CHECK-NEXT:   found: nir.stdp
// CHECK-NEXT:   help: compile the network again, after ntensor-freeze-plasticity
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
asic.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "asic/edge"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI022]}}
      asic.dense "fc1" {format = "dense", port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>}
    }
  }
}

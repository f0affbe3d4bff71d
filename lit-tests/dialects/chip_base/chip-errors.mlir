// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Destinations exist, and each input axon has a sender.
// RUN: mutate 's/core = #nopt.array<\[0, 0, 2\]/core = #nopt.array<[0, 0, 3]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=PLACE
// RUN: mutate 's/axon = #nopt.array<\[0, 1, 0\]/axon = #nopt.array<[0, 1, 1]/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXON
// RUN: mutate 's/neuro_core 2 attributes {axons = 1/neuro_core 2 attributes {axons = 2/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SENDER
// PLACE:      error[CHI003]: a destination is not a core
// PLACE:        expected: one of [0, 2]
// AXON:       error[CHI003]: a destination is not an axon
// AXON:         expected: an axon below 1 of core 2
// SENDER:     error[CHI003]: an input axon has no sender
// SENDER:       found: none for axon 1

// A core has no more input axons than there are destinations: no memory is taken for 99999999999 of them.
// RUN: mutate 's/axons = 1 : i64/axons = 99999999999 : i64/' %S/../loihi2/inputs/loihi2.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=MANY
// MANY:       error[CHI003]: an input axon has no sender
// MANY-NEXT:    at: loihi2.neuro_core
// MANY-NEXT:    expected: at most 3, the destinations of all senders
// MANY-NEXT:    found: 99999999999 axons

// -----

// Names and cores occur once, and groups hold each neuron of a population once.
// CHECK:      error[CHI002]: two groups have the same name
// CHECK-NEXT:   at: loihi2.compartments "lif1/0"
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[2] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Names and cores occur once, and groups hold each neuron of a population once.
// CHECK:      error[CHI002]: two cores have the same number
// CHECK-NEXT:   at: loihi2.neuro_core
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  loihi2.neuro_core 0 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[2] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Names and cores occur once, and groups hold each neuron of a population once: `index = [1]`.
// CHECK: error[CHI002]: the groups are not the population
// CHECK:   expected: each of 3 neurons once
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[1] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Names and cores occur once, and groups hold each neuron of a population once.
// CHECK: error[CHI002]: an output of nothing
// CHECK:   expected: one of input, lif1
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  // expected-error @below {{[CHI002]}}
  loihi2.output "output" of "lif2" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// Destinations exist, and each input axon has a sender.
// CHECK: error[CHI003]: the device has no such core
// CHECK:   found: 200
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
loihi2.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "loihi2/oheo_gulch"} {
  // expected-error @below {{[CHI003]}}
  loihi2.input "input/0" of "input" at 200 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// The update is one of the module.
// CHECK: error[CHI002]: the update is not defined
// CHECK:   found: @other
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/1" of "lif1" @other attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// A tick without length.
// expected-error @below {{[CHI002]: the length of a tick is not positive}}
loihi2.chip @net attributes {tick_ns = 0 : i64} {
  loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// Events that the update does not send.
// CHECK:      error[CHI002]: the events are not those of the update
// CHECK:        expected: i1
// CHECK-NEXT:   found: !ntensor.count<4>
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
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<3x!ntensor.count<4>> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[2] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<3x!ntensor.count<4>> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// An output name occurs once, and a group has its destinations in one list.
loihi2.chip @net attributes {tick_ns = 1000000 : i64} {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
  // expected-error @below {{[CHI002]: two outputs have the same name}}
  loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

// -----

// An output name occurs once, and a group has its destinations in one list.
loihi2.chip @net {
  // expected-error @below {{[CHI002]: loihi2.output_axons occurs more than once}}
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
}

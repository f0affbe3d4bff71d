// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Values of neurons outside of the types that the update declares: those of a configuration, those of one that no neuron has, and registers; here `vth = [25, 131072]`.
// CHECK:      error[CHI007]: vth is out of range
// CHECK-NEXT:   at: loihi2.compartments "lif1/0"
// CHECK-NEXT:   expected: 0 to 131071
// CHECK-NEXT:   found: 25 to 131072
// CHECK-NEXT:   help: compile the network again
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
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 131072] : tensor<2xi64>>}} {
    // expected-error @below {{[CHI007]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Values of neurons outside of the types that the update declares: those of a configuration, those of one that no neuron has, and registers; here `vth = [25, 30, -1]`.
// CHECK:      error[CHI007]: vth is out of range
// CHECK-NEXT:   at: loihi2.neuro_core
// CHECK-NEXT:   expected: 0 to 131071
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
  // expected-error @below {{[CHI007]}}
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30, -1] : tensor<3xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Values of neurons outside of the types that the update declares: those of a configuration, those of one that no neuron has, and registers; here `bias = 99999999999`.
// CHECK:      error[CHI007]: bias is out of range
// CHECK-NEXT:   at: loihi2.compartments "lif1/1"
// CHECK-NEXT:   expected: -4096 to 4095
// CHECK-NEXT:   found: 99999999999
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
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25] : tensor<1xi64>>}} {
    // expected-error @below {{[CHI007]}}
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {bias = #nopt.array<99999999999 : tensor<i64>>}, initial = {}} : tensor<1xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Values of neurons outside of the types that the update declares: those of a configuration, those of one that no neuron has, and registers; here `bias = 5.5`.
// CHECK: error[CHI007]: bias is out of range
// CHECK:   found: numbers of f64
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
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25] : tensor<1xi64>>}} {
    // expected-error @below {{[CHI007]}}
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {bias = #nopt.array<5.5 : tensor<f64>>}, initial = {}} : tensor<1xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Registers and configurations that the update does not have, and one that has both.
// CHECK:      error[CHI002]: a register that the update does not have
// CHECK:        expected: du, vth, bias
// CHECK-NEXT:   found: gain
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
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {gain = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Registers and configurations that the update does not have, and one that has both.
// CHECK: error[CHI002]: a configuration that no update has
// CHECK:   found: gain
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
  // expected-error @below {{[CHI002]}}
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {gain = #nopt.array<[1] : tensor<1xi64>>, du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Registers and configurations that the update does not have, and one that has both.
// CHECK: error[CHI002]: a register is a configuration, too
// CHECK:   found: du
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
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {du = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

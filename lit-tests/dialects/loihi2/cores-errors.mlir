// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A place that is not in the list of the core: `threshold = [0, 2]`.
// CHECK:      error[LOI002]: a compartment has no configuration
// CHECK-NEXT:   at: loihi2.compartments "lif1/0"
// CHECK-NEXT:   expected: threshold below 2
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: compile the network again
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    // expected-error @below {{[LOI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 2] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A place that is not in the list of the core.
// CHECK: error[LOI002]: a compartment has no configuration
// CHECK:   expected: profile below 1
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    // expected-error @below {{[LOI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<1 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    // expected-error @below {{[LOI002]}}
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[2] : tensor<1xi32>>, profile = #nopt.array<1 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<3xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Lists of another rank, and places of another shape: `du = 4095`.
// CHECK:      error[LOI002]: profiles have different shapes
// CHECK:        expected: one axis, the same for each
// CHECK-NEXT:   found: []
loihi2.chip @net {
  // expected-error @below {{[LOI002]}}
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<4095 : tensor<i64>>}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Lists of another rank, and places of another shape: `threshold = [0]`.
// CHECK: error[CHI002]: threshold has another shape
// CHECK:   expected: [] or [2]
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0] : tensor<1xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A parameter of the update that no list and no register has.
// CHECK:      error[CHI002]: the parameters are not those of the update
// CHECK:        expected: du, vth, bias
// CHECK-NEXT:   found: du, vth
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
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

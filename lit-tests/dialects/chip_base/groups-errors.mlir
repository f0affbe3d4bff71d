// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// States that the update does not have, and of another shape: `v = [1, 2, 3]`.
// CHECK:      error[CHI002]: state v has another shape
// CHECK-NEXT:   at: loihi2.compartments "lif1/0"
// CHECK-NEXT:   expected: [] or [2]
// CHECK-NEXT:   found: [3]
loihi2.chip @net {
  loihi2.neuro_core 0 {
    // expected-error @below {{[CHI002]}}
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {v = #nopt.array<[1, 2, 3] : tensor<3xi64>>}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// States that the update does not have, and of another shape: `v = 1`.
// CHECK:      error[CHI002]: the states are not those of the update
// CHECK:        expected: none
// CHECK-NEXT:   found: v
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
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {v = #nopt.array<1 : tensor<i64>>}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A core has a number of axons.
// CHECK:      error[CHI002]: the number of axons is negative
// CHECK-NEXT:   at: loihi2.neuro_core
loihi2.chip @net {
  // expected-error @below {{[CHI002]}}
  loihi2.neuro_core 0 attributes {axons = -2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

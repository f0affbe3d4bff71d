// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A tick that the device does not have.
// CHECK:      error[CHI008]: asic/mesh has no tick of 1 ns
// CHECK-NEXT:   at: asic.chip @net
// CHECK-NEXT:   expected: at least {{[0-9]+}} ns (asic/mesh, tick.min: {{.*}})
// CHECK-NEXT:   found: 1 ns
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>):
  %t = fixed.constant 1 : !fixed.int<1, 1>
  %z = fixed.cmp gt %x, %t : !fixed.int<-9223372036854775808, 9223372036854775807>, !fixed.int<1, 1>
  ntensor.emit %z : i1
}
// expected-error @below {{[CHI008]}}
asic.chip @net attributes {tick_ns = 1 : i64, machine.device = "asic/mesh"} {
  asic.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    asic.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  asic.core 0 attributes {axons = 2 : i64} {
    asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      asic.dense "fc1" {port = 0 : i64, axons = #nopt.array<[0, 1] : tensor<2xi32>>, weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}

// -----

// Events that spikes of the device do not carry.
// CHECK:      error[CHI009]: spikes of loihi2/oheo_gulch do not carry these events
// CHECK-NEXT:   at: loihi2.input "input/0"
// CHECK-NEXT:   expected: {{.*}} (loihi2/oheo_gulch, spike.dtypes)
// CHECK-NEXT:   found: !ntensor.graded<40>
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
  // expected-error @below {{[CHI009]}}
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2x!ntensor.graded<40>> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, core = #nopt.array<[0, 0] : tensor<2xi32>>, axon = #nopt.array<[0, 1] : tensor<2xi32>>}
  }
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<2xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// Two inputs, three compartments on the cores 0 and 2 of loihi2/oheo_gulch.
ntensor.update @fire <spike> inputs ["a"] params ["du", "vth", "bias"] raw ["du", "vth", "bias"] derive {
^bb0(%dt: f64, %du: f64, %vth: f64, %bias: f64):
  ntensor.derived %du, %vth, %bias : f64, f64, f64
} initial {
^bb0(%du_1: !fixed.int<0, 4095>, %vth_1: !fixed.int<0, 131071>, %bias_1: !fixed.int<-4096, 4095>):
  ntensor.initial
} step {
^bb0(%a: !fixed.int<-131072, 131071>, %du_2: !fixed.int<0, 4095>, %vth_2: !fixed.int<0, 131071>, %bias_2: !fixed.int<-4096, 4095>):
  %0 = fixed.add %a, %bias_2 : !fixed.int<-131072, 131071>, !fixed.int<-4096, 4095> -> !fixed.int<-135168, 135166>
  %1 = fixed.add %vth_2, %du_2 : !fixed.int<0, 131071>, !fixed.int<0, 4095> -> !fixed.int<0, 135166>
  %2 = fixed.cmp gt %0, %1 : !fixed.int<-135168, 135166>, !fixed.int<0, 135166>
  %z = ntensor.let "z" %2 : i1
  ntensor.emit %z : i1
}
loihi2.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "loihi2/oheo_gulch"} {
  loihi2.input "input/0" of "input" at 0 attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<2xi1> {
    loihi2.output_axons {neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, core = #nopt.array<[0, 0, 2] : tensor<3xi32>>, axon = #nopt.array<[0, 1, 0] : tensor<3xi32>>}
  }
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25, 30] : tensor<2xi64>>}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {bias = #nopt.array<0 : tensor<i64>>}, initial = {}} : tensor<3xi1> {
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {du = #nopt.array<[4095] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[25] : tensor<1xi64>>}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[2] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {bias = #nopt.array<5 : tensor<i64>>}, initial = {}} : tensor<3xi1> {
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
  loihi2.output "output" of "lif1" {delay = #nopt.array<0 : tensor<i64>>} : tensor<3xi1>
}

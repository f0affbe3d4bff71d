ntensor.update @soma <spike> inputs ["x"] states ["isyn"] params ["decay_syn", "i_spkthr"] raw ["decay_syn", "i_spkthr"] canonical [] records [] derive {
^bb0(%dt: f64, %d: f64, %th: f64):
  ntensor.derived %d, %th : f64, f64
} initial {
^bb0(%decay_syn_1: f64, %i_spkthr_1: f64):
  %0 = arith.constant 0.000000e+00 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %isyn: f64, %decay_syn: f64, %i_spkthr: f64):
  %1 = arith.mulf %decay_syn, %isyn : f64
  %2 = fixed.to_real %x : !fixed.int<-2147483648, 2147483647> -> f64
  %3 = arith.addf %1, %2 : f64
  %4 = arith.cmpf ogt, %3, %i_spkthr : f64
  ntensor.emit %4, %3 : i1, f64
}
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
    dynapse.destinations {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, chip = #nopt.array<[0, 0, 0] : tensor<3xi32>>, cores = #nopt.array<[1, 1, 1] : tensor<3xi32>>, tag = #nopt.array<[0, 1, 2] : tensor<3xi32>>}
  }
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {decay_syn = #nopt.array<0.5 : tensor<f64>>, i_spkthr = #nopt.array<32.0 : tensor<f64>>}, initial = {isyn = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
  dynapse.core 1 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @soma attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {decay_syn = #nopt.array<0.75 : tensor<f64>>, i_spkthr = #nopt.array<32.0 : tensor<f64>>}, initial = {isyn = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
  dynapse.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

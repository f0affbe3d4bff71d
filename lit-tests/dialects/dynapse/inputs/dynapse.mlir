ntensor.update @dynapse <spike> inputs ["x"] states ["isyn", "imem", "v"] params ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] raw ["i_tau_mem", "decay_syn", "charge_syn", "i_spkthr", "i_gain_mem", "gain_mem", "i_w", "gain_syn", "i_dc", "speed", "feed", "rest"] derive {
^bb0(%dt: f64, %raw0: f64, %raw1: f64, %raw2: f64, %raw3: f64, %raw4: f64, %raw5: f64, %raw6: f64, %raw7: f64, %raw8: f64, %raw9: f64, %raw10: f64, %raw11: f64):
  ntensor.derived %raw0, %raw1, %raw2, %raw3, %raw4, %raw5, %raw6, %raw7, %raw8, %raw9, %raw10, %raw11 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%i_tau_mem_1: f64, %decay_syn_1: f64, %charge_syn_1: f64, %i_spkthr_1: f64, %i_gain_mem_1: f64, %gain_mem_1: f64, %i_w_1: f64, %gain_syn_1: f64, %i_dc_1: f64, %speed_1: f64, %feed_1: f64, %rest_1: f64):
  %170 = arith.constant 5.000000e-13 : f64
  %171 = arith.constant 5.000000e-13 : f64
  %172 = arith.constant 0.000000e+00 : f64
  ntensor.initial %170, %171, %172 : f64, f64, f64
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %isyn: f64, %imem: f64, %v: f64, %i_tau_mem_2: f64, %decay_syn_2: f64, %charge_syn_2: f64, %i_spkthr_2: f64, %i_gain_mem_2: f64, %gain_mem_2: f64, %i_w_2: f64, %gain_syn_2: f64, %i_dc_2: f64, %speed_2: f64, %feed_2: f64, %rest_2: f64):
  %173 = arith.mulf %isyn, %decay_syn_2 : f64
  %174 = arith.constant 5.000000e-13 : f64
  %175 = fixed.to_real %x : !fixed.int<-2147483648, 2147483647> -> f64
  %176 = arith.mulf %i_w_2, %175 : f64
  %177 = arith.mulf %gain_syn_2, %176 : f64
  %178 = arith.maximumf %174, %177 : f64
  %179 = arith.mulf %charge_syn_2, %178 : f64
  %180 = arith.addf %173, %179 : f64
  %isyn_1 = ntensor.let "isyn" %180 : f64
  %181 = arith.constant 5.000000e-13 : f64
  %182 = arith.addf %i_tau_mem_2, %181 : f64
  %i_leak = ntensor.let "i_leak" %182 : f64
  %183 = arith.constant 5.000000e-13 : f64
  %184 = arith.subf %isyn_1, %i_leak : f64
  %185 = arith.addf %184, %i_dc_2 : f64
  %186 = arith.maximumf %183, %185 : f64
  %i_in = ntensor.let "i_in" %186 : f64
  %187 = arith.constant 5.000000e-13 : f64
  %188 = arith.mulf %feed_2, %v : f64
  %189 = math.exp %188 : f64
  %190 = arith.mulf %187, %189 : f64
  %191 = arith.divf %190, %i_leak : f64
  %192 = arith.addf %imem, %i_gain_mem_2 : f64
  %193 = arith.mulf %191, %192 : f64
  %back = ntensor.let "back" %193 : f64
  %194 = arith.subf %i_in, %i_leak : f64
  %195 = arith.mulf %gain_mem_2, %194 : f64
  %196 = arith.addf %195, %back : f64
  %197 = arith.mulf %imem, %rest_2 : f64
  %198 = arith.subf %196, %197 : f64
  %drive = ntensor.let "drive" %198 : f64
  %199 = arith.constant 5.000000e-13 : f64
  %200 = arith.mulf %speed_2, %i_leak : f64
  %201 = arith.mulf %200, %imem : f64
  %202 = arith.addf %imem, %i_gain_mem_2 : f64
  %203 = arith.divf %201, %202 : f64
  %204 = arith.mulf %203, %drive : f64
  %205 = arith.addf %imem, %204 : f64
  %206 = arith.maximumf %199, %205 : f64
  %imem_1 = ntensor.let "imem" %206 : f64
  %207 = arith.constant 5.000000e-13 : f64
  %208 = arith.divf %imem_1, %207 : f64
  %209 = math.log %208 : f64
  %v_1 = ntensor.let "v" %209 : f64
  %210 = arith.cmpf ogt, %imem_1, %i_spkthr_2 : f64
  %z = ntensor.let "z" %210 : i1
  %211 = arith.constant 5.000000e-13 : f64
  %212 = arith.select %z, %211, %imem_1 : f64
  %imem_2 = ntensor.let "imem" %212 : f64
  ntensor.emit %z, %isyn_1, %imem_2, %v_1 : i1, f64, f64, f64
}
dynapse.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapse/se2"} {
  dynapse.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
    dynapse.destinations {neuron = #nopt.array<[0, 1, 2] : tensor<3xi32>>, chip = #nopt.array<[0, 0, 0] : tensor<3xi32>>, cores = #nopt.array<[1, 1, 1] : tensor<3xi32>>, tag = #nopt.array<[0, 1, 2] : tensor<3xi32>>}
  }
  dynapse.core 0 attributes {axons = 3 : i64} {
    dynapse.neurons "one/0" of "one" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.5 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[17, 34, 68, 136] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1, 1] : tensor<5xi32>>, tag = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, mask = #nopt.array<[8, 4, 12, 4, 15] : tensor<5xi32>>, is_inhibitory = #nopt.array<[0, 1, 0, 0, 0] : tensor<5xi32>>}
      dynapse.destinations {neuron = #nopt.array<[0, 1] : tensor<2xi32>>, chip = #nopt.array<[0, 0] : tensor<2xi32>>, cores = #nopt.array<[2, 2] : tensor<2xi32>>, tag = #nopt.array<[3, 4] : tensor<2xi32>>}
    }
  }
  dynapse.core 1 attributes {axons = 2 : i64} {
    dynapse.neurons "two/0" of "two" @dynapse attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {i_tau_mem = #nopt.array<5.349803921568627e-12 : tensor<f64>>, decay_syn = #nopt.array<0.75 : tensor<f64>>, charge_syn = #nopt.array<0.0010598662759002675 : tensor<f64>>, i_spkthr = #nopt.array<1.0e-11 : tensor<f64>>, i_gain_mem = #nopt.array<2.139921568627451e-11 : tensor<f64>>, gain_mem = #nopt.array<4.0 : tensor<f64>>, i_w = #nopt.array<1.427450980392157e-10 : tensor<f64>>, gain_syn = #nopt.array<0.003056229515174733 : tensor<f64>>, i_dc = #nopt.array<1.0699607843137255e-11 : tensor<f64>>, speed = #nopt.array<9399999999.999998 : tensor<f64>>, feed = #nopt.array<0.4134897360703812 : tensor<f64>>, rest = #nopt.array<1.0934613693006892 : tensor<f64>>}, initial = {isyn = #nopt.array<5.0e-13 : tensor<f64>>, imem = #nopt.array<5.0e-13 : tensor<f64>>, v = #nopt.array<0.0 : tensor<f64>>}, currents = #nopt.array<[0, 1, 2, 255] : tensor<4xi32>>} : tensor<2xi1> {
      dynapse.synapses {neuron = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, tag = #nopt.array<[3, 4, 3, 4] : tensor<4xi32>>, mask = #nopt.array<[8, 2, 6, 8] : tensor<4xi32>>, is_inhibitory = #nopt.array<[0, 0, 0, 1] : tensor<4xi32>>}
    }
  }
  dynapse.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

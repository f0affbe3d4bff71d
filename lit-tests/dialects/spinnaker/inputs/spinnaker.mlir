ntensor.update @cell <spike> inputs ["excitatory", "inhibitory"] states ["v"] params ["shift_exc"] raw ["shift_exc"] derive {
^bb0(%dt: f64, %shift: f64):
  ntensor.derived %shift : f64
} initial {
^bb0(%shift_1: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 65535>
  ntensor.initial %1 : !fixed.int<0, 65535>
} step {
^bb0(%excitatory: !fixed.int<0, 65535>, %inhibitory: !fixed.int<0, 65535>, %v: !fixed.int<0, 65535>, %shift_2: !fixed.int<0, 15>):
  %2 = fixed.cmp gt %excitatory, %inhibitory : !fixed.int<0, 65535>, !fixed.int<0, 65535>
  ntensor.emit %2, %excitatory : i1, !fixed.int<0, 65535>
}
spinnaker.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "spinnaker/spinn3"} {
  spinnaker.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>, key = 0 : i64, mask = 4294967292 : i64, cores = #nopt.array<[0] : tensor<1xi32>>} : tensor<3xi1> {
  ^bb0:
  }
  spinnaker.core 0 attributes {axons = 6 : i64} {
    spinnaker.neurons "one/0" of "one" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}, key = 4 : i64, mask = 4294967294 : i64, cores = #nopt.array<[1] : tensor<1xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc1.excitatory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 2, 0, 268435456, 402653185], [0, 1, 0, 134217729, 0], [0, 1, 0, 536870913, 0]] : tensor<3x5xi32>>}
      spinnaker.rows "fc1.inhibitory" {key = 0 : i64, mask = 4294967292 : i64, words = #nopt.array<[[0, 0, 0, 0], [0, 1, 0, 1073741826], [0, 0, 0, 0]] : tensor<3x4xi32>>}
    }
  }
  spinnaker.core 1 attributes {axons = 2 : i64} {
    spinnaker.neurons "two/0" of "two" @cell attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, index_bits = 1 : i64, delay_bits = 0 : i64, params = {shift_exc = #nopt.array<6 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}, key = 6 : i64, mask = 4294967294 : i64, cores = #nopt.array<"0x" : tensor<0xi32>>} : tensor<2xi1> {
      spinnaker.rows "fc2" {key = 4 : i64, mask = 4294967294 : i64, words = #nopt.array<[[0, 2, 0, 536870912, 134217729], [0, 2, 0, 268435456, 536870913]] : tensor<2x5xi32>>}
    }
  }
  spinnaker.router 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128, 256] : tensor<2xi64>>}
  spinnaker.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}

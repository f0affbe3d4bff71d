xylo.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "xylo/audio2"} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  xylo.core 0 attributes {axons = 1 : i64} {
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
    xylo.weights "input" {shift = 7 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
    xylo.weights "recurrent" {shift = 0 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[1] : tensor<1xi8>>}
    xylo.weights "output" {shift = 2 : i64, source = #nopt.array<[1] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
  }
  xylo.output "y" of "o" {delay = #nopt.array<0 : tensor<i64>>} : tensor<1xi1>
}

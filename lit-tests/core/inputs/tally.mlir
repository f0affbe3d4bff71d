tally.chip @net attributes {tick_ns = 1000000 : i64} {
  tally.input "input" : tensor<3xi1>
  tally.core 0 "hidden/0" of "hidden" @tally_lif {neurons = #nopt.array<[0, 1] : tensor<2xi64>>, size = 2 : i64, bias = #nopt.array<[0, 3] : tensor<2xi16>>, params = {}, initial = {}}
  tally.table "input" -> "hidden/0" {source = #nopt.array<[0, 1, 2] : tensor<3xi32>>, target = #nopt.array<[0, 0, 1] : tensor<3xi32>>, weight = #nopt.array<[3, 0, -8] : tensor<3xi8>>, ticks = 1 : i64}
  tally.output "output" of "input" {ticks = 0 : i64}
}

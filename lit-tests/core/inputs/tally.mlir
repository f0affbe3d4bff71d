tally.chip @net attributes {tick_ns = 1000000 : i64} {
  tally.input "input" : tensor<3xi1>
  tally.table "input" -> "hidden/0" {source = #nopt.array<[0, 1, 2] : tensor<3xi32>>, target = #nopt.array<[0, 0, 1] : tensor<3xi32>>, weight = #nopt.array<[3, 0, -8] : tensor<3xi8>>, ticks = 1 : i64}
  tally.output "output" of "input" {ticks = 0 : i64}
}

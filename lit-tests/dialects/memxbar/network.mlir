// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// A network of a layer and an output; a round trip keeps it.
// RUN: nopt %S/inputs/memxbar.mlir | nopt - | filecheck %s
// CHECK:      memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"memxbar/array128", digest = {{.*}}>} {
// CHECK-NEXT:   %a = memxbar.dense "fc" %x
// CHECK:        memxbar.output %a : tensor<2xi16>

// -----

// The last array.
memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = "memxbar/array128"} {
  %a = memxbar.dense "fc" %x attributes {encoding = "differential", slices = 1 : i64, cell_bits = 5 : i64} : tensor<4xi1> -> tensor<2xi16> {
    memxbar.tile 1023 {group = 0 : i64, rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<[[31, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 5], [2, 0, 0, 0]] : tensor<4x4xui8>>}
  }
  memxbar.output %a : tensor<2xi16>
}

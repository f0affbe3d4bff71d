// A network of a layer and an output; a round trip keeps it.
// RUN: nopt %S/inputs/memxbar.mlir | nopt - | filecheck %s
// CHECK:      memxbar.network @net("x" %x: tensor<4xi1>) -> ("y": tensor<2xi16>) attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"memxbar/array128", digest = {{.*}}>} {
// CHECK-NEXT:   %a = memxbar.dense "fc" %x
// CHECK:        memxbar.output %a : tensor<2xi16>

// The last array.
// RUN: mutate 's/tile 0/tile 1023/' %S/inputs/memxbar.mlir | nopt - -o /dev/null

// RUN: nopt %s -p convert-ntensor-to-c | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c{record=fc,lif,"lif.v"}' | filecheck %s --check-prefix=RECORD
// RUN: nopt %s -p 'convert-ntensor-to-c{prefix=toy alignment=32 unroll=4 instruction-set=avx2}' | filecheck %s --check-prefix=PREFERS

// A linear layer becomes sums that start at zero and rows of weights, [in][out]; the bias and the neuron become loops. The recurrent delay
// of two ticks becomes a ring of two rows, read at its cursor and written at the end of the tick. A uniform threshold is a single number.
// CHECK:       c.program @net attributes {prefix = "net", tick_ns = 1000 : i64
// CHECK-NEXT:    %0 = c.buffer "input" #c<kind input> {node = "input", spikes} : memref<3xui8>
// CHECK-NEXT:    %1 = c.buffer "output" #c<kind output> {node = "output"} : memref<2xui8>
// CHECK-NEXT:    [[RING:%[0-9]+]] = c.buffer "late_ring" #c<kind state> {values = #nopt.array<0 : tensor<i64>>, spikes} : memref<2x2xui8>
// CHECK-NEXT:    [[NOW:%[0-9]+]] = c.buffer "row_of_2" #c<kind state> {values = #nopt.array<0 : tensor<i64>>} : memref<1xsi32>
// CHECK-NEXT:    [[ROW:%[0-9]+]] = c.row [[RING]] at [[NOW]] : memref<1xsi32>, of memref<2x2xui8> -> memref<2xui8>
// CHECK-DAG:     c.buffer "fc_weight" #c<kind constant> {values = #nopt.array<{{\[\[\[}}1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]] : tensor<1x3x2xf32>>} : memref<1x3x2xf32>
// CHECK-DAG:     c.buffer "fc_bias" #c<kind constant> {values = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : memref<2xf32>
// CHECK-DAG:     c.buffer "lif_v" #c<kind state> {values = #nopt.array<0.0 : tensor<f32>>} : memref<2xf32>
// CHECK:         c.tick {
// CHECK-DAG:       c.rows "fc" %0, {{.*}} {spikes, finite}
// CHECK-DAG:       c.rows "back" [[ROW]], {{.*}} {spikes, finite}
// CHECK-DAG:       c.loop "fc_affine"
// CHECK:           c.loop "sum"
// CHECK:           c.loop "lif"
// CHECK:             arith.constant 1.000000e+00 : f32
// CHECK:             arith.cmpf ogt
// CHECK:           c.loop "output"
// CHECK:           c.loop "late"({{.*}}) -> ([[ROW]])
// CHECK:           c.advance [[NOW]] {rows = 2 : i64}
// CHECK-NOT:   ntensor.update

// Records are copied to rows of the caller.
// RECORD:      c.buffer "fc_seen" #c<kind probe> {node = "fc"} : memref<2xf32>
// RECORD:      c.buffer "lif_seen" #c<kind probe> {node = "lif"} : memref<2xui8>
// RECORD:      c.buffer "lif_v_seen" #c<kind probe> {node = "lif.v"} : memref<2xf32>

// Preferences that only the emitter reads are attributes of the program.
// PREFERS:     c.program @net attributes {prefix = "toy", {{.*}}preferences = {alignment = 32 : i64, unroll = 4 : i64, instruction_set = "avx2"}}
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %d = ntensor.delay "late" %z {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xi1>
  %r = ntensor.linear "back" %d {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %s = ntensor.sum %y, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%s) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

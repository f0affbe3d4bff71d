// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-events,c-split-ticks{least=1}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-events,c-split-ticks' | filecheck %s --check-prefix=SMALL
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-events,c-split-ticks{least=1}' -t c | filecheck %s --check-prefix=C

// The first thread lists the events. Each thread then adds to its own part of the sums and copies it: no barrier is between them. A small program is
// not split.
// CHECK-LABEL: c.program @dense
// CHECK:         c.clear {{.*}} {split} : memref<3xf32>
// CHECK-NEXT:    c.events
// CHECK-NEXT:    c.barrier
// CHECK-NEXT:    c.rows "fc" {{.*}} {spikes, finite, split}
// CHECK-NEXT:    c.loop "y"({{.*}}) -> ({{.*}}) {split}
// CHECK:         c.barrier
// CHECK-NEXT:  }
// SMALL-NOT:   c.barrier
// SMALL-NOT:   split
// C:           static void net_rows_fc({{.*}}, const size_t part, const size_t parts) {
// C-NEXT:          const size_t first = net_part_start(3, 64, part, parts), last = net_part_start(3, 64, part + 1, parts);
// C:                   for (size_t o = first; o < last; ++o) {
// C:           void net_step(
// C:               net_rows_fc({{.*}}, 0, 1);
// C:           static void net_part(net_team *team, const size_t part) {
// C:                   if (part == 0) {
// C-NEXT:                  net_events(
// C-NEXT:              }
// C-NEXT:              net_meet(team);
// C-NEXT:              net_rows_fc({{.*}}, part, parts);
ntensor.network @dense("x" %x: tensor<2xi1>) -> ("y": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<constant(value = 0.5) : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}

// -----

// A source of 8 synapses has a boundary for each part; a source of one synapse has none, so each thread skips the targets of other threads. The second layer reads all sums of
// the first: there is a barrier between them.
// CHECK-LABEL: c.program @sparse
// CHECK:         c.compressed "many" {{.*}} {finite, split, cut}
// CHECK:         c.barrier
// CHECK:         c.compressed "one" {{.*}} {finite, split}
// C:           static void net_compressed_many({{.*}}, const {{.*}} *restrict from, const {{.*}} *restrict to, const size_t part, const size_t parts) {
// C:               for (size_t s = from[i]; s < to[i]; ++s) {
// C:           static void net_compressed_one(
// C:               while (s < net_c_one_start[i + 1] && net_c_one_target[s] < first) {
// C:               for (; s < net_c_one_start[i + 1] && net_c_one_target[s] < last; ++s) {
ntensor.network @sparse("x" %x: tensor<1xf32>) -> ("y": tensor<8xf32>) attributes {tick_ns = 1000 : i64} {
  %h = ntensor.sparse_linear "many" %x {weight = #nopt.array<constant(value = 0.5) : tensor<8xf32>>, source = #nopt.array<constant(value = 0) : tensor<8xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>} : tensor<1xf32> -> tensor<8xf32>
  %y = ntensor.sparse_linear "one" %h {weight = #nopt.array<constant(value = 0.5) : tensor<8xf32>>, source = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>, target = #nopt.array<[7, 6, 5, 4, 3, 2, 1, 0] : tensor<8xi32>>} : tensor<8xf32> -> tensor<8xf32>
  ntensor.output %y : tensor<8xf32>
}

// -----

// Targets that do not ascend are not split, and nothing else has half of the synapses.
// CHECK-LABEL: c.program @mixed
// CHECK-NOT:     split
// CHECK-NOT:     c.barrier
c.program @mixed attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<1xf32>
  %y = c.buffer "y" #c<kind output> : memref<3xf32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[0.5] : tensor<1xf32>>} : memref<1xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 3] : tensor<2xui8>>} : memref<2xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 2, 1] : tensor<3xui8>>} : memref<3xui8>
  c.tick {
    c.clear %y : memref<3xf32>
    c.compressed "fc" %x, %w by %start, %target into %y {finite} : memref<1xf32>, memref<1xf32> by memref<2xui8>, memref<3xui8> into memref<3xf32>
  }
}

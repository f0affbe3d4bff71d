// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c{profile=avx2},c-choose-bitmaps' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c{profile=avx2},c-choose-bitmaps,c-choose-events' -t c | filecheck %s --check-prefix=C
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c,c-choose-bitmaps' | filecheck %s --check-prefix=SCALAR
// RUN: nopt %s --split-input-file -p 'convert-ntensor-to-c{profile=avx2},c-choose-bitmaps{share=2}' | filecheck %s --check-prefix=SCALAR

// Source 0 reaches targets 0, 1, 32 and 63, source 1 none, and source 2 targets 2 to 11: 14 synapses for 2 rows of 8 vectors, at least 0.75 for each
// vector. 3 = bits 0 and 1, 1 = bit 0, 2147483648 = bit 31, 4092 = bits 2 to 11. Without the length of a vector, nothing changes.
// CHECK-LABEL: c.program @uniform
// CHECK-DAG:     [[W:%[0-9]+]] = c.buffer "fc_weight" #c<kind constant> {values = #nopt.array<[0.5] : tensor<1xf32>>}
// CHECK-DAG:     [[ROWS:%[0-9]+]] = c.buffer "fc_rows" #c<kind constant> {values = #nopt.array<[0, 1, 1, 2] : tensor<4xui8>>}
// CHECK-DAG:     [[BITS:%[0-9]+]] = c.buffer "fc_bits" #c<kind constant> {values = #nopt.array<{{\[\[}}3, 2147483649], [4092, 0]] : tensor<2x2xui32>>}
// CHECK:         c.bitmap "fc" {{%[0-9]+}}, [[W]] by [[ROWS]], [[BITS]] into {{.*}} {spikes, finite} : memref<3xui8>, memref<1xf32> by memref<4xui8>, memref<2x2xui32> into memref<64xf32>
// SCALAR-LABEL: c.program @uniform
// SCALAR:         c.compressed "fc"
// C:           static inline void net_add_float(float *restrict y, const uint32_t *a, const uint32_t *b, size_t first, size_t last, float u, float w) {
// C:               enum { lanes = 32 / sizeof(uint32_t) };
// C:           static void net_bitmap_fc(
// C:               for (size_t k = 0; k < x_count[0]; ++k) {
// C:                   for (size_t r = net_c_fc_rows[i]; r < net_c_fc_rows[i + 1]; ++r) {
// C-NEXT:                  const uint32_t *row = net_c_fc_bits + r * 2;
// C-NEXT:                  const float w = net_c_fc_weight[0];
// C-NEXT:                  if (held != NULL) {
// C-NEXT:                      net_add_float(fc_sums, held, row, 0, 64, u, w);
ntensor.network @uniform("x" %x: tensor<3xi1>) -> ("y": tensor<64xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<constant(value = 0.5) : tensor<14xf32>>, source = #nopt.array<[0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] : tensor<14xi32>>, target = #nopt.array<[0, 1, 32, 63, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : tensor<14xi32>>} : tensor<3xi1> -> tensor<64xf32>
  ntensor.output %y : tensor<64xf32>
}

// -----

// Each source has one weight. Integers have 16 bits, so a vector has 16 of them.
// CHECK-LABEL: c.program @populations
// CHECK-DAG:     [[W:%[0-9]+]] = c.buffer "fc_each" #c<kind constant> {values = #nopt.array<[300, -500] : tensor<2xi16>>}
// CHECK:         c.bitmap "fc" {{%[0-9]+}}, [[W]] by {{.*}} into {{.*}} : memref<2xui8>, memref<2xsi16> by memref<3xui8>, memref<2x2xui32> into memref<64xsi16>
// C:           static inline void net_add_int16_t(int16_t *restrict y, const uint32_t *a, const uint32_t *b, size_t first, size_t last, uint16_t u, uint16_t w) {
// C:               const uint16_t w = (uint16_t)((int32_t)net_c_fc_each[r]);
ntensor.network @populations("x" %x: tensor<2xi1>) -> ("y": tensor<64xi16>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[300, 300, 300, 300, -500, -500, -500, -500] : tensor<8xi16>>, source = #nopt.array<[0, 0, 0, 0, 1, 1, 1, 1] : tensor<8xi32>>, target = #nopt.array<[0, 1, 2, 3, 0, 1, 2, 3] : tensor<8xi32>>} : tensor<2xi1> -> tensor<64xi16>
  ntensor.output %y : tensor<64xi16>
}

// -----

// A source with two weights has two rows.
// CHECK-LABEL: c.program @two
// CHECK-DAG:     c.buffer "fc_each" #c<kind constant> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>}
// CHECK-DAG:     c.buffer "fc_rows" #c<kind constant> {values = #nopt.array<[0, 2] : tensor<2xui8>>}
// CHECK-DAG:     c.buffer "fc_bits" #c<kind constant> {values = #nopt.array<{{\[\[}}5461, 0], [10922, 0]] : tensor<2x2xui32>>}
// CHECK:         c.bitmap "fc"
ntensor.network @two("x" %x: tensor<1xi1>) -> ("y": tensor<64xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sparse_linear "fc" %x {weight = #nopt.array<[1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0] : tensor<14xf32>>, source = #nopt.array<constant(value = 0) : tensor<14xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] : tensor<14xi32>>} : tensor<1xi1> -> tensor<64xf32>
  ntensor.output %y : tensor<64xf32>
}

// -----

// Unchanged: a source that reaches a target twice, synapses with delays, few targets, and rows with too few synapses.
// CHECK-LABEL: c.program @others
// CHECK-NOT:     c.bitmap
// CHECK:         c.compressed "twice"
// CHECK-NOT:     c.bitmap
// CHECK:         c.compressed "late"
// CHECK-NOT:     c.bitmap
// CHECK:         c.compressed "small"
// CHECK-NOT:     c.bitmap
// CHECK:         c.compressed "rare"
ntensor.network @others("x" %x: tensor<1xi1>) -> ("p": tensor<64xf32>, "q": tensor<64xf32>, "r": tensor<32xf32>, "s": tensor<64xf32>) attributes {tick_ns = 1000 : i64} {
  %p = ntensor.sparse_linear "twice" %x {weight = #nopt.array<constant(value = 0.5) : tensor<8xf32>>, source = #nopt.array<constant(value = 0) : tensor<8xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 6] : tensor<8xi32>>} : tensor<1xi1> -> tensor<64xf32>
  %q = ntensor.sparse_linear "late" %x {weight = #nopt.array<constant(value = 0.5) : tensor<8xf32>>, source = #nopt.array<constant(value = 0) : tensor<8xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>, delay = #nopt.array<[1, 2, 1, 2, 1, 2, 1, 2] : tensor<8xi64>>} : tensor<1xi1> -> tensor<64xf32>
  %r = ntensor.sparse_linear "small" %x {weight = #nopt.array<constant(value = 0.5) : tensor<8xf32>>, source = #nopt.array<constant(value = 0) : tensor<8xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>} : tensor<1xi1> -> tensor<32xf32>
  %s = ntensor.sparse_linear "rare" %x {weight = #nopt.array<constant(value = 0.5) : tensor<2xf32>>, source = #nopt.array<constant(value = 0) : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<1xi1> -> tensor<64xf32>
  ntensor.output %p, %q, %r, %s : tensor<64xf32>, tensor<64xf32>, tensor<32xf32>, tensor<64xf32>
}

// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-layout,c-pack-weights,c-choose-events,c-fuse-loops,c-plan-memory' -t c | filecheck %s

// A row of an even number is a block: its first half is in the low halves of its bytes, its second half in the high halves, in two's complement. The
// weights of the first input are 1, 3, 5, 7, those of the second -2, -4, -6, -8:
// 1 + 16 * 5 = 81, 3 + 16 * 7 = 115, (16 - 2) + 16 * (16 - 6) = 174, (16 - 4) + 16 * (16 - 8) = 140.
// CHECK:       static const uint8_t net_c_even_weight[4] = {
// CHECK-NEXT:      81, 115, 174, 140
// An odd number of weights: 1, 3, 5, -2, -4, -6 in three bytes; element 2 k is the low half of byte k.
// CHECK:       static const uint8_t net_c_odd_weight[3] = {
// CHECK-NEXT:      49, 229, 172
// CHECK:       static const uint8_t net_c_wide_weight[5] = {

// The low halves of a row are added to its first targets, the high halves to the others.
// CHECK:       static NET_ROWS void net_rows_even(
// CHECK:           const uint8_t *restrict w = net_c_even_weight + p * 2;
// CHECK-NEXT:      for (size_t h = 0; h < 2; ++h) {
// CHECK-NEXT:          even_sums[h] = (int8_t)(even_sums[h] + (int32_t)net_low_weight(w[h]));
// CHECK-NEXT:      }
// CHECK-NEXT:      for (size_t h = 0; h < 2; ++h) {
// CHECK-NEXT:          even_sums[h + 2] = (int8_t)(even_sums[h + 2] + (int32_t)net_high_weight(w[h]));

// Of an odd number, every second row starts with a half, and the others end with one.
// CHECK:       static NET_ROWS void net_rows_odd(
// CHECK:           const size_t s = p * 3;
// CHECK-NEXT:      const size_t r = s % 2;
// CHECK-NEXT:      const uint8_t *restrict w = net_c_odd_weight + (s + r) / 2;
// CHECK-NEXT:      const size_t m = r != 0 ? 0 : 2;
// CHECK-NEXT:      for (size_t h = 0; h < 1; ++h) {
// CHECK-NEXT:          odd_sums[2 * h + r] = (int8_t)(odd_sums[2 * h + r] + (int32_t)net_low_weight(w[h]));
// CHECK-NEXT:          odd_sums[2 * h + 1 + r] = (int8_t)(odd_sums[2 * h + 1 + r] + (int32_t)net_high_weight(w[h]));
// CHECK-NEXT:      }
// CHECK-NEXT:      odd_sums[m] = (int8_t)(odd_sums[m] + (int32_t)net_weight_at(net_c_odd_weight, s + m));

// Synapses of a sparse op are read one by one.
// CHECK:       static void net_compressed_some(
// CHECK:           some_sums[o] = (int8_t)(some_sums[o] + (int32_t)net_weight_at(net_c_some_weight, s));

// Runs of taps and channels are read byte by byte where all of them start with a byte, and otherwise one by one.
// CHECK:       static void net_window_maps(
// CHECK:           for (size_t h = 0; h < 2; ++h) {
// CHECK-NEXT:          y[2 * h] = (int8_t)(y[2 * h] + (int32_t)net_low_weight(taps[h]));
// CHECK:       static void net_window_one(
// CHECK:           y[jx + o * 8] = (int8_t)(y[jx + o * 8] + (int32_t)net_weight_at(net_c_one_weight, jx + o));
// CHECK:       static void net_window_deep(
// CHECK:           y[jx * 2 + o] = (int8_t)(y[jx * 2 + o] + (int32_t)net_weight_at(net_c_deep_weight, plane * 2 + jx + o));

// A scale multiplies unpacked integers.
// CHECK:       static void net_rows_real(
// CHECK:           real_sums[2 * h + r] += (float)net_low_weight(w[h]) * net_c_real_scale[0];

// A run of an odd number of weights ends with half a byte.
// CHECK:       static void net_window_wide(
// CHECK:           for (size_t h = 0; h < 4; ++h) {
// CHECK:           y[8] = (int8_t)(y[8] + (int32_t)net_weight_at(net_c_wide_weight, 8));

// Taps in words of 16: a channel with events is unpacked once. The second channel starts in the middle of a word.
// CHECK:       static void net_window_words(
// CHECK:               if (g_count[plane] != 0) {
// CHECK-NEXT:              const size_t s = plane * 8, r = s % 16;
// CHECK-NEXT:              int8_t held[32];
// CHECK-NEXT:              net_unpack(held, net_c_words_weight + s / 16 * 8, (r + 23) / 16);
// CHECK-NEXT:              const int8_t *restrict taps = held + r;
// CHECK:                       for (size_t o = 0; o < 8; ++o) {
// CHECK-NEXT:                      y[o] = (int8_t)(y[o] + (int32_t)taps[o]);
ntensor.network @net("x" %x: tensor<2xi1>, "m" %m: tensor<1x6xi1>, "g" %g: tensor<2x4xi1>) -> ("y0": tensor<4xi8>, "y1": tensor<3xi8>, "y2": tensor<3xi8>, "y3": tensor<2x5xi8>, "y4": tensor<1x4xi8>, "y5": tensor<2x3xi8>, "y6": tensor<3xf32>, "y7": tensor<3x4xi8>, "y8": tensor<4x3xi8>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "even" %x {weight = #nopt.array<[[1, -2], [3, -4], [5, -6], [7, -8]] : tensor<4x2xi8>>} : tensor<2xi1> -> tensor<4xi8>
  %b = ntensor.linear "odd" %x {weight = #nopt.array<[[1, -2], [3, -4], [5, -6]] : tensor<3x2xi8>>} : tensor<2xi1> -> tensor<3xi8>
  %c = ntensor.sparse_linear "some" %x {weight = #nopt.array<[3, -1, 2, 1, 5, 7] : tensor<6xi8>>, source = #nopt.array<[0, 0, 0, 1, 1, 1] : tensor<6xi8>>, target = #nopt.array<[0, 1, 2, 0, 1, 2] : tensor<6xi8>>} : tensor<2xi1> -> tensor<3xi8>
  %d = ntensor.conv1d "maps" %m {weight = #nopt.array<[[[1, 2]], [[-3, 4]]] : tensor<2x1x2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x6xi1> -> tensor<2x5xi8>
  %e = ntensor.conv1d "one" %m {weight = #nopt.array<[[[1, 2, -3]]] : tensor<1x1x3xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x6xi1> -> tensor<1x4xi8>
  %f = ntensor.conv1d "deep" %g {weight = #nopt.array<[[[1, 2]], [[-3, 4]]] : tensor<2x1x2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 2 : i64} : tensor<2x4xi1> -> tensor<2x3xi8>
  %r = ntensor.linear "real" %x {weight = #nopt.array<[[3, 1], [-5, 0], [7, 2]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.10000000149011612 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
  %w = ntensor.conv1d "wide" %m {weight = #nopt.array<[[[1, 2, -3]], [[4, 5, -6]], [[7, -8, 0]]] : tensor<3x1x3xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x6xi1> -> tensor<3x4xi8>
  %v = ntensor.conv1d "words" %g {weight = #nopt.array<[[[1, 2], [3, 4]], [[-1, -2], [-3, -4]], [[5, 6], [7, -8]], [[0, 1], [2, 3]]] : tensor<4x2x2xi8>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<2x4xi1> -> tensor<4x3xi8>
  ntensor.output %a, %b, %c, %d, %e, %f, %r, %w, %v : tensor<4xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2x5xi8>, tensor<1x4xi8>, tensor<2x3xi8>, tensor<3xf32>, tensor<3x4xi8>, tensor<4x3xi8>
}

// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file > %t.a && nopt %t.a --split-input-file > %t.b && diff %t.a %t.b
// SEPARATE: xDSL renames a resource whose name an earlier text of the process has used.

// Up to 16 elements are stored inline, as the shortest decimals that restore the same bits.
// CHECK-LABEL: "test.op"() {case = "decimal"
// CHECK-SAME:    a = #nopt.array<{{\[\[}}0.5, -1.0], [0.1, 3.0]] : tensor<2x2xf32>>
// CHECK-SAME:    b = #nopt.array<[-0.0, 1.0e-45, 3.4028235e+38] : tensor<3xf32>>
// CHECK-SAME:    c = #nopt.array<[0.1, 5.0e-324] : tensor<2xf64>>
// CHECK-SAME:    d = #nopt.array<[0.333, 6.55e+04] : tensor<2xf16>>
// CHECK-SAME:    e = #nopt.array<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0] : tensor<16xf32>>
"test.op"() {case = "decimal",
  a = #nopt.array<[[0.5, -1], [0.1, 3.0e0]] : tensor<2x2xf32>>,
  b = #nopt.array<[-0.0, 1.0e-45, 3.4028235e+38] : tensor<3xf32>>,
  c = #nopt.array<[0.1, 5.0e-324] : tensor<2xf64>>,
  d = #nopt.array<[0.333, 65504.0] : tensor<2xf16>>,
  e = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : tensor<16xf32>>
} : () -> ()

// -----

// Integers of all widths, signed and unsigned.
// CHECK-LABEL: "test.op"() {case = "integers"
// CHECK-SAME:    a = #nopt.array<[-128, 127] : tensor<2xi8>>
// CHECK-SAME:    b = #nopt.array<[0, 255] : tensor<2xui8>>
// CHECK-SAME:    c = #nopt.array<-32768 : tensor<i16>>
// CHECK-SAME:    d = #nopt.array<65535 : tensor<ui16>>
// CHECK-SAME:    e = #nopt.array<-2147483648 : tensor<i32>>
// CHECK-SAME:    f = #nopt.array<-9223372036854775808 : tensor<i64>>
// CHECK-SAME:    g = #nopt.array<18446744073709551615 : tensor<ui64>>
"test.op"() {case = "integers",
  a = #nopt.array<[-128, 127] : tensor<2xi8>>,
  b = #nopt.array<[0, 255] : tensor<2xui8>>,
  c = #nopt.array<-32768 : tensor<i16>>,
  d = #nopt.array<65535 : tensor<ui16>>,
  e = #nopt.array<-2147483648 : tensor<i32>>,
  f = #nopt.array<-9223372036854775808 : tensor<i64>>,
  g = #nopt.array<18446744073709551615 : tensor<ui64>>
} : () -> ()

// -----

// Booleans, and arrays without an axis.
// CHECK-LABEL: "test.op"() {case = "truth"
// CHECK-SAME:    a = #nopt.array<[true, false] : tensor<2xi1>>
// CHECK-SAME:    b = #nopt.array<true : tensor<i1>>
// CHECK-SAME:    c = #nopt.array<0.25 : tensor<f32>>
"test.op"() {case = "truth",
  a = #nopt.array<[true, false] : tensor<2xi1>>,
  b = #nopt.array<true : tensor<i1>>,
  c = #nopt.array<0.25 : tensor<f32>>
} : () -> ()

// -----

// Values without decimal form are stored as little-endian bytes: nan, infinity, and arrays without an element.
// 0x7fc00000 is nan and 0x7f800000 infinity in f32.
// CHECK-LABEL: "test.op"() {case = "bytes"
// CHECK-SAME:    a = #nopt.array<"0x0000c07f0000807f" : tensor<2xf32>>
// CHECK-SAME:    b = #nopt.array<"0x" : tensor<2x0x3xf32>>
// CHECK-SAME:    c = #nopt.array<[1.0, 2.0] : tensor<2xf32>>
"test.op"() {case = "bytes",
  a = #nopt.array<"0x0000c07f0000807f" : tensor<2xf32>>,
  b = #nopt.array<"0x" : tensor<2x0x3xf32>>,
  c = #nopt.array<"0x0000803f00000040" : tensor<2xf32>>
} : () -> ()

// -----

// More than 16 elements are stored at the end of the file under a hash of their type and bytes, once for all uses.
// CHECK-LABEL: "test.op"() {case = "resource"
// CHECK-SAME:    a = #nopt.array<[[KEY:h[0-9a-f]+]] : tensor<4x5xui8>>
// CHECK-SAME:    b = #nopt.array<[[KEY]] : tensor<4x5xui8>>
// CHECK:       {-#
// CHECK-COUNT-1: [[KEY]]: "0x000102030405060708090a0b0c0d0e0f10111213"
// CHECK-NOT:   [[KEY]]
"test.op"() {case = "resource",
  a = #nopt.array<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]] : tensor<4x5xui8>>,
  b = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<4x5xui8>>
} : () -> ()

{-#
  dialect_resources: {
    nopt: {
      h3000ff38c25d5cc7822e47c837d505b9: "0x000102030405060708090a0b0c0d0e0f10111213"
    }
  }
#-}

// -----

// Resources of other dialects are stored in a separate section.
// CHECK-LABEL: "test.op"() {case = "others"
// CHECK-SAME:    a = dense_resource<blob> : tensor<1xf32>, b = #nopt.array<[[KEY:h[0-9a-f]+]] : tensor<4x5xui8>>
// CHECK:       builtin: {
// CHECK-NEXT:    blob: "0x040000000000803F"
// CHECK:       nopt: {
// CHECK-NEXT:    [[KEY]]: "0x000102030405060708090a0b0c0d0e0f10111213"
"test.op"() {case = "others", a = dense_resource<blob> : tensor<1xf32>, b = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<4x5xui8>>} : () -> ()

{-#
  dialect_resources: {
    builtin: {blob: "0x040000000000803F"},
    nopt: {h3000ff38c25d5cc7822e47c837d505b9: "0x000102030405060708090a0b0c0d0e0f10111213"}
  }
#-}

// -----

// bf16 has two bytes for each number. Decimals are rounded once: 0.1 becomes 205 * 2^-11, and 2^-134 * 1.5 the smallest subnormal, 2^-133.
// CHECK-LABEL: "test.op"() {case = "bf16"
// CHECK-SAME:    a = #nopt.array<[0.100097656, -2.5, 9.1835e-41] : tensor<3xbf16>>
// CHECK-SAME:    b = #nopt.array<"0xc07f807f" : tensor<2xbf16>>
// CHECK-SAME:    c = #nopt.array<[[KEY:h[0-9a-f]+]] : tensor<17xbf16>>
// CHECK-SAME:    d = #nopt.array<[[OTHER:h[0-9a-f]+]] : tensor<17xui16>>
// CHECK:       [[KEY]]: "0x803f003f803f803f803f803f803f803f803f803f803f803f803f803f803f803f803f"
"test.op"() {case = "bf16",
  a = #nopt.array<[0.1, -2.5, 6.888e-41] : tensor<3xbf16>>,
  b = #nopt.array<"0xc07f807f" : tensor<2xbf16>>,
  c = #nopt.array<[1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : tensor<17xbf16>>,
  d = #nopt.array<[16256, 16128, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256, 16256] : tensor<17xui16>>
} : () -> ()

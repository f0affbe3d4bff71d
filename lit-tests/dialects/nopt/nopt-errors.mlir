// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A file without its last lines is refused at the reference to the array, not at the first use of the weights.
// CHECK:      nopt-errors.mlir:10:3: error[COR001]: the bytes of an array are missing
// CHECK-NEXT:   at: nir.scale "s 1"
// CHECK-NEXT:   expected: h00000000000000000000000000000000 in the section `dialect_resources: { nopt: … }` of the file
// CHECK-NEXT:   found: no such entry
// CHECK-NEXT:   help: name the folder that was written with the file: --arrays DIR
nir.graph @cut("in" %x: tensor<20xf32>) -> ("out": tensor<20xf32>) {
  %y = nir.scale "s 1" %x {scale = #nopt.array<h00000000000000000000000000000000 : tensor<20xf32>>} : tensor<20xf32> -> tensor<20xf32>
  nir.output %y : tensor<20xf32>
}

// -----

// Changed bytes do not have the hash under which they are stored: 0x15 was 0x13.
// CHECK:      nopt-errors.mlir:26:42: error[COR002]: the bytes of an array do not match its key
// CHECK-NEXT:   expected: 20 bytes whose hash is h3000ff38c25d5cc7822e47c837d505b9
// CHECK-NEXT:   found: 20 bytes whose hash is h
// CHECK-NEXT:   help: write the file again with `nopt FILE -o OUT`
"test.op"() {a = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<4x5xui8>>} : () -> ()

{-#
  dialect_resources: {
    nopt: {
      h3000ff38c25d5cc7822e47c837d505b9: "0x000102030405060708090a0b0c0d0e0f10111215"
    }
  }
#-}

// -----

// Truncated bytes are refused.
// CHECK:      error[COR002]: the bytes of an array do not match its key
// CHECK-NEXT:   expected: 20 bytes whose hash is
// CHECK-NEXT:   found: 2 bytes
"test.op"() {a = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<4x5xui8>>} : () -> ()

{-#
  dialect_resources: {
    nopt: {
      h3000ff38c25d5cc7822e47c837d505b9: "0x0001"
    }
  }
#-}

// -----

// The number of elements must be that of the type.
// CHECK:      error[COR024]: these are not the elements of a tensor<3xf32>
"test.op"() {a = #nopt.array<[1.0, 2.0] : tensor<3xf32>>} : () -> ()

// -----

// The type must represent every element.
// CHECK:      error[COR024]: these are not the elements of a tensor<1xi8>
"test.op"() {a = #nopt.array<[128] : tensor<1xi8>>} : () -> ()

// -----

// The element type must be one of NumPy.
// CHECK:      error[COR024]: expected a tensor of i1, i8 to i64, ui8 to ui64, f16, bf16, f32 or f64
"test.op"() {a = #nopt.array<[1.0] : tensor<1xi4>>} : () -> ()

// -----

// Beyond the largest number of bf16.
// CHECK:      error[COR024]: these are not the elements of a tensor<1xbf16>
"test.op"() {a = #nopt.array<[3.5e+38] : tensor<1xbf16>>} : () -> ()

// -----

// Rules are defined for the types of NumPy.
// CHECK:      error[COR024]: a rule of bf16 is not supported: use f32, or numbers
"test.op"() {a = #nopt.array<constant(value = 1.0) : tensor<20xbf16>>} : () -> ()

// -----

// Every size must be static.
// CHECK:      error[COR024]: expected a static shape
"test.op"() {a = #nopt.array<[1.0] : tensor<?xf32>>} : () -> ()

// -----

// The number of axes must not exceed that of NumPy.
// CHECK:      error[COR024]: expected at most 32 axes
"test.op"() {a = #nopt.array<"0x00" : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi8>>} : () -> ()

// -----

// Each key must have one type.
// CHECK:      error[COR024]: array h3000ff38c25d5cc7822e47c837d505b9 occurs with two types
"test.op"() {
  a = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<4x5xui8>>,
  b = #nopt.array<h3000ff38c25d5cc7822e47c837d505b9 : tensor<5x4xui8>>
} : () -> ()

{-#
  dialect_resources: {
    nopt: {
      h3000ff38c25d5cc7822e47c837d505b9: "0x000102030405060708090a0b0c0d0e0f10111213"
    }
  }
#-}

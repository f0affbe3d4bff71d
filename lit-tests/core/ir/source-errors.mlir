// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s
// RUN: not nopt %root/lit-tests/core/inputs/latin.mlir 2>&1 | filecheck %s --check-prefix=LATIN
// RUN: printf '"test.op"(' | not nopt - 2>&1 | filecheck %s --check-prefix=STDIN

// A syntax error is shown with a caret, also far beyond the first chunk of a file.
// CHECK:      source-errors.mlir:[[LINE:[0-9]+]]:14: error[COR024]: {{.+}}
// CHECK-NEXT:   at:   %y = "test"("op") : () -> ()
// CHECK-NEXT:     {{ *}}^
"test.op"() ({
  %y = "test"("op") : () -> ()
}) : () -> ()

// -----

// An unknown op.
// CHECK:      error[COR024]: {{.*}}nir.lof
%y = nir.lof "l"

// -----

// An undefined value is detected at the end of the file.
// CHECK:      error[COR024]: {{.*}}q
"test.op"(%q) : (f32) -> ()

// -----

// An op that violates its definition: the message contains the user's name of the node and its place.
// CHECK:      source-errors.mlir:[[LINE:[0-9]+]]:1: error[COR025]: {{.*}}nir.graph
"nir.output"() : () -> ()

// -----

// All errors of a file are reported.
// CHECK:      error[COR025]
// CHECK:      error[COR025]
"nir.output"() : () -> ()
"nir.output"() : () -> ()

// -----

// A file that is not UTF-8 is refused with the offset of the bytes.
// LATIN:      error[COR026]: the file is not text
// LATIN-NEXT:   at: {{.*}}latin.mlir
// LATIN-NEXT:   expected: textual IR in UTF-8, or a `.nir` file
// LATIN-NEXT:   found: byte 0xff at offset 11
// LATIN-NEXT:   help: pass a .nir file as the exporting framework wrote it, or a text file with IR

// The message contains a name for standard input, too.
// STDIN:      <stdin>:1:{{[0-9]+}}: error[COR024]

// -----

// Numbers in MLIR's own form are refused with the form to write.
// CHECK:      source-errors.mlir:[[DENSE:[0-9]+]]:3: error[COR024]: numbers of a network are written as #nopt.array
// CHECK-NEXT:   expected: #nopt.array<ELEMENTS : TYPE>
// CHECK-NEXT:   found: dense<…> : tensor<1x2xf32>
// CHECK-NEXT:   help: #nopt.array<{{\[\[}}1.000000e+00, 5.000000e-01]] : tensor<1x2xf32>> in its place
nir.graph @dense("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "a" %x {weight = dense<[[1.0, 0.5]]> : tensor<1x2xf32>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// CHECK:      error[COR024]: numbers of a network are written as #nopt.array
// CHECK:        help: #nopt.array<constant(value = 2.000000e+00) : tensor<1x2xf32>> in its place
nir.graph @splat("in" %x: tensor<2xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.linear "a" %x {weight = dense<2.0> : tensor<1x2xf32>} : tensor<2xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s
// RUN: not nopt %root/lit-tests/core/inputs/latin.mlir 2>&1 | filecheck %s --check-prefix=LATIN
// RUN: printf '"test.op"(' | not nopt - 2>&1 | filecheck %s --check-prefix=STDIN

// What does not follow the grammar is shown with a caret, also far behind the first chunk of a file.
// CHECK:      source-errors.mlir:[[LINE:[0-9]+]]:14: error[SRC001]: {{.+}}
// CHECK-NEXT:   at:   %y = "test"("op") : () -> ()
// CHECK-NEXT:     {{ *}}^
"test.op"() ({
  %y = "test"("op") : () -> ()
}) : () -> ()

// -----

// An op that nobody knows.
// CHECK:      error[SRC001]: {{.*}}nir.lof
%y = nir.lof "l"

// -----

// A value that is used and nowhere defined is known at the end of the file.
// CHECK:      error[SRC001]: {{.*}}q
"test.op"(%q) : (f32) -> ()

// -----

// An op that was read and is not what its definition asks for: the node's own name and its place are in the message.
// CHECK:      source-errors.mlir:[[LINE:[0-9]+]]:1: error[SRC002]: {{.*}}nir.graph
"nir.output"() : () -> ()

// -----

// Every refusal of a file is reported, not only the first.
// CHECK:      error[SRC002]
// CHECK:      error[SRC002]
"nir.output"() : () -> ()
"nir.output"() : () -> ()

// -----

// The bytes of a file that is not UTF-8 are named by their offset.
// LATIN:      error[SRC003]: the file is not text
// LATIN-NEXT:   at: {{.*}}latin.mlir
// LATIN-NEXT:   expected: textual IR in UTF-8, or a `.nir` file
// LATIN-NEXT:   found: byte 0xff at offset 11
// LATIN-NEXT:   help: name a .nir file as the exporting framework wrote it, or a text file with IR

// Standard input has a name too.
// STDIN:      <stdin>:1:{{[0-9]+}}: error[SRC001]

// RUN: rm -rf %t && nopt %s --arrays %t/arrays -o %t/net.mlir
// RUN: python %root/lit-tests/core/inputs/damage.py %t/arrays

// The folder `arrays` next to the file is read, or the one that `--arrays` names. Without a folder the array is missing.
// RUN: nopt %t/net.mlir -o /dev/null
// RUN: rm -rf %t.alone && mkdir %t.alone && cp %t/net.mlir %t.alone && not nopt %t.alone/net.mlir 2>&1 | filecheck %s
// RUN: nopt %t.alone/net.mlir --arrays %t/arrays -o /dev/null
// CHECK:      net.mlir:3:5: error[COR001]: the bytes of an array are missing
// CHECK-NEXT:   at: nir.scale "s"
// CHECK-NEXT:   expected: h{{[0-9a-f]+}} in the section
// CHECK-NEXT:   found: no such entry
// CHECK-NEXT:   help: name the folder that was written with the file: --arrays DIR

// The folder has no such file, or does not exist.
// RUN: not nopt %t/net.mlir --arrays %t/arrays.empty -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not nopt %t/net.mlir --arrays %t/nowhere -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=NOWHERE
// MISSING:      net.mlir:3:5: error[COR003]: the file of an array is not in the folder
// MISSING-NEXT:   at: nir.scale "s" ({{.*}}arrays.empty/h{{[0-9a-f]+}}.npy)
// MISSING-NEXT:   expected: an array h{{[0-9a-f]+}}
// MISSING-NEXT:   found: no such file
// MISSING-NEXT:   help: name the folder that was written with the file: --arrays DIR
// NOWHERE:      error[COR003]: the file of an array is not in the folder
// NOWHERE:        found: no folder {{.*}}nowhere

// Changed files: a bit, the length, all bytes, the type. The error is found when the first verifier reads a number.
// RUN: not nopt %t/net.mlir --arrays %t/arrays.flipped -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=FLIPPED
// RUN: not nopt %t/net.mlir --arrays %t/arrays.cut -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=CUT
// RUN: not nopt %t/net.mlir --arrays %t/arrays.text -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not nopt %t/net.mlir --arrays %t/arrays.typed -o %t/never.mlir 2>&1 | filecheck %s --check-prefix=TYPED
// FLIPPED:      net.mlir:3:5: error[COR004]: the content of an array file does not match its name
// FLIPPED-NEXT:   at: nir.scale "s" ({{.*}}arrays.flipped/h{{[0-9a-f]+}}.npy)
// FLIPPED-NEXT:   expected: float32 (20,) whose hash is h{{[0-9a-f]+}}
// FLIPPED-NEXT:   found: bytes whose hash is h{{[0-9a-f]+}}
// FLIPPED-NEXT:   help: write the folder again from the source of the text: nopt FILE -o OUT --arrays DIR
// CUT:            found: 77 bytes instead of 80
// TEXT:           found: not a .npy file
// TYPED:          found: float64 (20,)

// A refused run writes no output. Writing the text again from the original folder repairs the folder.
// RUN: not ls %t/never.mlir
// RUN: nopt %s --arrays %t/arrays.flipped -o %t/net.mlir
// RUN: diff -r %t/arrays %t/arrays.flipped

// The path cannot be a folder.
// RUN: not nopt %s --arrays %t/net.mlir 2>&1 | filecheck %s --check-prefix=FILE
// FILE: error[API012]: the output cannot be written
// FILE:   found: file exists
nir.graph @net("x" %x: tensor<20xf32>) -> ("y": tensor<20xf32>) {
  %y = nir.scale "s" %x {scale = #nopt.array<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] : tensor<20xf32>>} : tensor<20xf32> -> tensor<20xf32>
  nir.output %y : tensor<20xf32>
}

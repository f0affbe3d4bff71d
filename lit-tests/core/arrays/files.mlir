// The text refers to its large arrays; the folder has one file for equal arrays. Small arrays and rules stay in the text.
// RUN: rm -rf %t && nopt %s --arrays %t/arrays -o %t/net.mlir
// RUN: filecheck %s < %t/net.mlir
// RUN: ls %t/arrays | filecheck %s --check-prefix=FOLDER
// CHECK-LABEL: nir.graph @net
// CHECK:       nir.affine "a" %{{.*}} {weight = #nopt.array<[[KEY:h[0-9a-f]+]] : tensor<4x5xf32>>, bias = #nopt.array<[0.0, 1.0, 2.0, 3.0] : tensor<4xf32>>}
// CHECK:       nir.linear "b" %{{.*}} {weight = #nopt.array<[[KEY]] : tensor<4x5xf32>>}
// CHECK:       nir.scale "c" %{{.*}} {scale = #nopt.array<constant(value = 2.0) : tensor<20xf32>>}
// CHECK-NOT:   {-#
// FOLDER:      h561e{{[0-9a-f]+}}.npy
// FOLDER-NOT:  npy

// Writing again changes neither text nor files; with the arrays inlined, the text is the original one.
// RUN: nopt %t/net.mlir --arrays %t/arrays | diff %t/net.mlir -
// RUN: nopt %s > %t/whole.mlir
// RUN: nopt %t/net.mlir --read-arrays %t/arrays | diff %t/whole.mlir -

// Copy from one folder to another.
// RUN: nopt %t/net.mlir --read-arrays %t/arrays --arrays %t/copy -o %t/net.mlir
// RUN: diff -r %t/arrays %t/copy

// A run reads the arrays, too: 20 inputs of 1, doubled by "c".
// RUN: python -c "import sys, numpy; numpy.savez(sys.argv[1], x=numpy.ones((2, 5)), y=numpy.ones((2, 20)))" %t/xy.npz
// RUN: nopt run %t/net.mlir --arrays %t/arrays --input %t/xy.npz --dt 1ms --like norse | filecheck %s --check-prefix=TABLE
// TABLE: third{{ +}}2x20{{ +}}float64{{ +}}80
nir.graph @net("x" %x: tensor<5xf32>, "y" %y: tensor<20xf32>) -> ("first": tensor<4xf32>, "second": tensor<4xf32>, "third": tensor<20xf32>) {
  %a = nir.affine "a" %x {
    weight = #nopt.array<[[1, 2, 3, 4, 5], [0, 0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5, 0.5], [-1, -1, -1, -1, -1]] : tensor<4x5xf32>>,
    bias = #nopt.array<[0, 1, 2, 3] : tensor<4xf32>>
  } : tensor<5xf32> -> tensor<4xf32>
  %b = nir.linear "b" %x {
    weight = #nopt.array<[[1, 2, 3, 4, 5], [0, 0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5, 0.5], [-1, -1, -1, -1, -1]] : tensor<4x5xf32>>
  } : tensor<5xf32> -> tensor<4xf32>
  %c = nir.scale "c" %y {scale = #nopt.array<constant(value = 2) : tensor<20xf32>>} : tensor<20xf32> -> tensor<20xf32>
  nir.output %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<20xf32>
}

// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --split-input-file --print-op-generic | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file > %t.a && nopt %t.a --split-input-file > %t.b && diff %t.a %t.b

// A node keeps its name and its metadata; both are properties.
// CHECK-LABEL: nir.graph @metadata
// CHECK-NEXT:    nir.scale "s 1" %x {scale = #nopt.array<2.0 : tensor<f32>>, metadata = {group = {note = "kept", trace = #nopt.array<[1, 2] : tensor<2xi64>>}, names = ["a", "b"]}} : tensor<2xf32> -> tensor<2xf32>
// GENERIC:       "nir.scale"(%x) <{node = "s 1", scale = #nopt.array<2.0 : tensor<f32>>, metadata = {{.*}}}> : (tensor<2xf32>) -> tensor<2xf32>
nir.graph @metadata("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.scale "s 1" %x {scale = #nopt.array<2.0 : tensor<f32>>, metadata = {group = {note = "kept", trace = #nopt.array<[1, 2] : tensor<2xi64>>}, names = ["a", "b"]}} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// Parameters keep the number format of the training.
// CHECK-LABEL: nir.graph @formats
// CHECK-NEXT:    scale = #nopt.array<[0.5, -0.0] : tensor<2xf16>>
// CHECK-NEXT:    scale = #nopt.array<[0.1, 1.0e-45] : tensor<2xf32>>
// CHECK-NEXT:    scale = #nopt.array<[0.1, 5.0e-324] : tensor<2xf64>>
// CHECK-NEXT:    scale = #nopt.array<[-128, 127] : tensor<2xi8>>
// CHECK-NEXT:    scale = #nopt.array<[0, 18446744073709551615] : tensor<2xui64>>
nir.graph @formats("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %a = nir.scale "a" %x {scale = #nopt.array<[0.5, -0.0] : tensor<2xf16>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.scale "b" %a {scale = #nopt.array<[0.1, 1.0e-45] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.scale "c" %b {scale = #nopt.array<[0.1, 5.0e-324] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  %d = nir.scale "d" %c {scale = #nopt.array<[-128, 127] : tensor<2xi8>>} : tensor<2xf32> -> tensor<2xf32>
  %e = nir.scale "e" %d {scale = #nopt.array<[0, 18446744073709551615] : tensor<2xui64>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %e : tensor<2xf32>
}

// RUN: nopt %s -t nir -o %t.nir 2> %t.err && filecheck %s --check-prefix=SAID < %t.err
// RUN: python %S/inputs/hdf5.py %t.nir | filecheck %s
// RUN: nopt %s -p nir-expand-parameters -t nir -o %t.nir 2>&1 | filecheck %s --check-prefix=EXPANDED
// EXPANDED-NOT: NIF047

// The option in the help line of each refusal removes its cause.
// RUN: not nopt %S/inputs/dead.mlir -t nir -o %t.nir 2> %t.err
// RUN: nopt %S/inputs/dead.mlir -p nir-remove-dead -t nir -o %t.nir 2> %t.err
// RUN: not nopt %S/inputs/several.mlir -t nir -o %t.nir 2> %t.err
// RUN: nopt %S/inputs/several.mlir -p nir-flatten -t nir -o %t.nir && nopt %t.nir | filecheck %s --check-prefix=FLAT
// FLAT: nir.scale "block.fc"

// Sums and sums of sums become edges. Scalars of a population are expanded, with a remark; a bias is unchanged. Convolution
// and Flatten have the sizes of their operands, which other tools require.
// SAID:      remark[NIF047]: scalars were expanded
// SAID-NEXT:   at: nir.scale "gain"
// SAID-NEXT:   expected: shape (1, 2, 2), one entry for each neuron
// SAID-NEXT:   found: scalars for scale
// SAID-NEXT:   help: nopt explain NIF047
// SAID:      warning[NIF046]: the annotation mine.note was dropped
// SAID-NEXT:   at: nir.li "li"
// SAID-NEXT:   expected: no annotation, because NIR cannot store it
// SAID-NEXT:   found: mine.note
// SAID-NEXT:   help: nopt {{.*}}nir_export.mlir -t mlir -o {{.*}}nir_export.mlir.tmp.nir
// SAID:      remark[NIF047]: scalars were expanded
// SAID-NEXT:   at: nir.li "li"
// SAID-NEXT:   expected: shape (3,), one entry for each neuron
// SAID-NEXT:   found: scalars for tau, v_leak
// CHECK:      node/edges text {{.*}}b'a', b'gain'], [b'a', b'sound'], [b'b', b'gain'], [b'conv', b'flat'], [b'fc', b'li'], [b'flat', b'fc'], [b'gain', b'conv'], [b'li', b'y'], [b'sound', b'gain']]
// CHECK:      node/nodes/conv/input_shape int64 [2, 2]
// CHECK:      node/nodes/fc/bias float32 0.25
// CHECK:      node/nodes/flat/input_type int64 [3, 1, 1]
// CHECK:      node/nodes/gain/scale float32 {{.*}}2.0, 2.0], [2.0, 2.0]]]
// CHECK:      node/nodes/li/r float32 [1.0, 2.0, 3.0]
// CHECK:      node/nodes/li/tau float64 [0.5, 0.5, 0.5]
// CHECK:      version text b'1.0.8'
nir.graph @sums("a" %a: tensor<1x2x2xf32>, "b" %b: tensor<1x2x2xf32>) -> ("y": tensor<3xf32>) {
  %s = nir.sum %a, %t : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %t = nir.sum %b, %i : (tensor<1x2x2xf32>, tensor<1x2x2xi1>) -> tensor<1x2x2xf32>
  %i = nir.threshold "sound" %a {threshold = #nopt.array<[[[1.0, 1.0], [1.0, 1.0]]] : tensor<1x2x2xf32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xi1>
  %g = nir.scale "gain" %s {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  %c = nir.conv2d "conv" %g {weight = #nopt.array<[[[[1.0, 1.0], [1.0, 1.0]]], [[[1.0, 1.0], [1.0, 1.0]]], [[[1.0, 1.0], [1.0, 1.0]]]] : tensor<3x1x2x2xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<3x1x1xf32>
  %f = nir.flatten "flat" %c {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<3x1x1xf32> -> tensor<3xf32>
  %w = nir.affine "fc" %f {weight = #nopt.array<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] : tensor<3x3xf32>>, bias = #nopt.array<0.25 : tensor<f32>>} : tensor<3xf32> -> tensor<3xf32>
  %l = nir.li "li" %w {tau = #nopt.array<0.5 : tensor<f64>>, r = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, "mine.note" = "a"} : tensor<3xf32> -> tensor<3xf32>
  nir.output %l : tensor<3xf32>
}

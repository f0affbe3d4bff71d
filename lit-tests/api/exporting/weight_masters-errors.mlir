// Two layers become one, whose weights are sums of products: they do not follow one by one from those of the network.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: exits 1 nopt export %s --torch --target c --dt 1ms --like norse -p ntensor-merge-synapses -o %t.dir/chip.py 2>&1 | filecheck %s
// RUN: not ls %t.dir/chip.py
// CHECK:      error[PYT003]: weights of the chip do not follow from those of the network [weights-without-origin]
// CHECK-NEXT:   at: ntensor.sparse_linear "second"
// CHECK-NEXT:   expected: weights of "second", each times a factor and rounded
// CHECK-NEXT:   found: synapses that the node does not have: ntensor.sparse_linear of shape (4,)
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %a = nir.linear "first" %x {weight = #nopt.array<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] : tensor<3x2xf32>>} : tensor<2xf32> -> tensor<3xf32>
  %b = nir.linear "second" %a {weight = #nopt.array<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]] : tensor<2x3xf32>>} : tensor<3xf32> -> tensor<2xf32>
  nir.output %b : tensor<2xf32>
}

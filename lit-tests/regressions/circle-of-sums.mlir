// A cycle that contains only sums of edges has no node with a name; naming its edges formerly did not terminate.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' -o /dev/null 2>&1 | filecheck %s
// CHECK: remark[ANA013]: a loop with several entries takes a tick on every edge

nir.graph @sums("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.sum %b, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = nir.sum %a, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}

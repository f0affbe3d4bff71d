// RUN: nopt %s --split-input-file -p nir-flatten | filecheck %s
// RUN: nopt %s --split-input-file -p nir-flatten -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: nopt %s --split-input-file -p nir-flatten -o %t.flat.mlir
// RUN: nopt %t.flat.mlir --split-input-file -p nir-flatten | diff %t.flat.mlir -

// The conversion flattens nested graphs itself: its result is the same with and without this pass.
// RUN: nopt %t.flat.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' -o %t.a.mlir
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' -o %t.b.mlir
// RUN: diff %t.a.mlir %t.b.mlir

// Metadata of a nested graph is dropped.
// REMARK: remark[NRM004]: metadata of a nested graph is dropped
// REMARK-NEXT: at: nir.subgraph "lif1"
// REMARK: found: author, input
// REMARK-NOT: NRM004

// A recurrent node: its terminals are wires, its nodes have both names, and the sum at its input stays a sum.
// CHECK-LABEL: nir.graph @recurrent
// CHECK-NEXT: [[A:%.+]] = nir.linear "fc" %{{.+}} {
// CHECK-NEXT: [[S:%.+]] = nir.sum [[A]], [[R:%.+]] : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT: [[Z:%.+]] = nir.lif "lif1.lif" [[S]] {
// CHECK-NEXT: [[R]] = nir.linear "lif1.w_rec" [[Z]] {
// CHECK-NEXT: nir.output [[Z]] : tensor<1xi1>
nir.graph @recurrent("input" %x: tensor<2xf32>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -1.0]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %z = nir.subgraph "lif1" (%a) ("input" %in: tensor<1xf32>) -> ("output": tensor<1xi1>) attributes {metadata = {author = "me"}, terminal_metadata = {input = {from = "torch"}}} {
    %s = nir.sum %in, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %y = nir.lif "lif" %s {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
    %r = nir.linear "w_rec" %y {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
    nir.output %y : tensor<1xi1>
  }
  nir.output %z : tensor<1xi1>
}

// -----

// Nested graphs in nested graphs, two that read each other, several terminals, and a wire from input to output. Nodes of the outer
// graphs come first.
// CHECK-LABEL: nir.graph @deep
// CHECK-NEXT: [[TWO:%.+]] = nir.identity "c.two" [[ONE:%.+]] :
// CHECK-NEXT: [[ONE]] = nir.identity "a.b.one" %{{.+}} :
// CHECK-NEXT: nir.output [[TWO]], %{{.+}} : tensor<1xf32>, tensor<1xf32>
nir.graph @deep("input" %x: tensor<1xf32>) -> ("two": tensor<1xf32>, "input'": tensor<1xf32>) {
  %one = nir.subgraph "a" (%x) ("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    %y = nir.subgraph "b" (%in) ("in" %in2: tensor<1xf32>) -> ("out": tensor<1xf32>) {
      %v = nir.identity "one" %in2 : tensor<1xf32> -> tensor<1xf32>
      nir.output %v : tensor<1xf32>
    }
    nir.output %y : tensor<1xf32>
  }
  %two, %same, %back = nir.subgraph "c" (%one, %x, %same2) ("in" %c: tensor<1xf32>, "also" %d: tensor<1xf32>, "again" %e: tensor<1xf32>) -> ("out": tensor<1xf32>, "also_out": tensor<1xf32>, "back": tensor<1xf32>) {
    %v = nir.identity "two" %c : tensor<1xf32> -> tensor<1xf32>
    nir.output %v, %d, %c : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  }
  %same2 = nir.subgraph "d" (%back) ("in" %f: tensor<1xf32>) -> ("out": tensor<1xf32>) {
    nir.output %f : tensor<1xf32>
  }
  nir.output %two, %same : tensor<1xf32>, tensor<1xf32>
}

// -----

// A network without nested graphs is unchanged.
// CHECK-LABEL: nir.graph @flat
// CHECK-NEXT: nir.identity "a.b"
nir.graph @flat("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %y = nir.identity "a.b" %x : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

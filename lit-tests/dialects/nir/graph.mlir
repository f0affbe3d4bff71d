// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --split-input-file --print-op-generic | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file > %t.a && nopt %t.a --split-input-file > %t.b && diff %t.a %t.b

// The inputs and outputs of a graph have the user's node names.
// CHECK-LABEL: nir.graph @plain("in" %x: tensor<3xf32>) -> ("out": tensor<3xf32>) {
// CHECK-NEXT:    nir.output %x : tensor<3xf32>
// CHECK-NEXT:  }
// GENERIC-LABEL: "nir.graph"()
// GENERIC-SAME:    <{sym_name = "plain", function_type = (tensor<3xf32>) -> tensor<3xf32>, input_names = ["in"], output_names = ["out"]}> ({
// GENERIC-NEXT:  ^bb0(%x: tensor<3xf32>):
// GENERIC-NEXT:    "nir.output"(%x) : (tensor<3xf32>) -> ()
nir.graph @plain("in" %x: tensor<3xf32>) -> ("out": tensor<3xf32>) {
  nir.output %x : tensor<3xf32>
}

// -----

// Recurrence is use before definition: the text may start anywhere in a loop.
// CHECK-LABEL: nir.graph @loop
// CHECK-NEXT:    [[SUM:%\S+]] = nir.sum %x, [[R:%\S+]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    [[Z:%\S+]] = nir.if "if" [[SUM]]
// CHECK-NEXT:    [[R]] = nir.linear "rec" [[Z]]
// CHECK-NEXT:    nir.output [[Z]] : tensor<2xi1>
nir.graph @loop("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %s = nir.sum %x, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.if "if" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.0, 0.5], [0.25, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %z : tensor<2xi1>
}

// -----

// Several inputs and outputs, of both kinds and without axes.
// CHECK-LABEL: nir.graph @many("a" %a: tensor<2xi1>, "b" %b: tensor<f32>) -> ("c": tensor<f32>, "d": tensor<2xi1>, "e": tensor<2xi1>) {
// CHECK-NEXT:    nir.output %b, %a, %a : tensor<f32>, tensor<2xi1>, tensor<2xi1>
nir.graph @many("a" %a: tensor<2xi1>, "b" %b: tensor<f32>) -> ("c": tensor<f32>, "d": tensor<2xi1>, "e": tensor<2xi1>) {
  nir.output %b, %a, %a : tensor<f32>, tensor<2xi1>, tensor<2xi1>
}

// -----

// Data of the file besides the nodes: the version, metadata of the graph, and of its terminals by name.
// CHECK-LABEL: nir.graph @kept("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>)
// CHECK-SAME:    attributes {version = "1.0.8", metadata = {author = "me", count = #nopt.array<3 : tensor<i64>>}, terminal_metadata = {in = {unit = "mV"}}}
nir.graph @kept("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {metadata = {author = "me", count = #nopt.array<3 : tensor<i64>>}, terminal_metadata = {in = {unit = "mV"}}, version = "1.0.8"} {
  nir.output %x : tensor<1xf32>
}

// -----

// Names are arbitrary text: spaces, quotes, slashes, line breaks, any script.
// CHECK-LABEL: nir.graph @"my net"("a b" %x: tensor<1xf32>) -> ("say \22hi\22": tensor<1xf32>)
// CHECK-NEXT:    [[A:%\S+]] = nir.identity "lif 1/2\0A" %x
// CHECK-NEXT:    [[B:%\S+]] = nir.identity "{{.*}}" [[A]]
nir.graph @"my net"("a b" %x: tensor<1xf32>) -> ("say \"hi\"": tensor<1xf32>) {
  %a = nir.identity "lif 1/2\n" %x : tensor<1xf32> -> tensor<1xf32>
  %b = nir.identity "Größe \"漢字\"" %a : tensor<1xf32> -> tensor<1xf32>
  nir.output %b : tensor<1xf32>
}

// -----

// A nested graph is a node; it has its own scope of names and uses no values from outside.
// CHECK-LABEL: nir.graph @outer
// CHECK-NEXT:    [[Y:%\S+]] = nir.subgraph "block" (%x) ("in" %{{\S+}}: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {metadata = {a = "b"}, terminal_metadata = {out = {}}} {
// CHECK-NEXT:      [[I:%\S+]] = nir.identity "same" %
// CHECK-NEXT:      nir.output [[I]] : tensor<1xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    nir.identity "same" [[Y]]
// GENERIC:       "nir.subgraph"(%x) <{node = "block", input_names = ["in"], output_names = ["out"], metadata = {a = "b"}, terminal_metadata = {out = {}}}> ({
nir.graph @outer("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %y = nir.subgraph "block" (%x) ("in" %u: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {metadata = {a = "b"}, terminal_metadata = {out = {}}} {
    %i = nir.identity "same" %u : tensor<1xf32> -> tensor<1xf32>
    nir.output %i : tensor<1xf32>
  }
  %z = nir.identity "same" %y : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// A dotted attribute is an annotation and is kept.
// CHECK-LABEL: nir.graph @annotated
// CHECK-SAME:    attributes {mine.note = "x"}
// CHECK-NEXT:    nir.identity "i" %x {mine.seen}
nir.graph @annotated("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {mine.note = "x"} {
  %y = nir.identity "i" %x {mine.seen} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}

// -----

// A graph records the changes to the numbers of its file.
// CHECK-LABEL: nir.graph @repaired
// CHECK-SAME: attributes {repairs = [#nir.repair<"nir-repair-export{by=norse dt-ns=1000000}", "tau = tau / dt", ["lif"]>]}
// GENERIC: repairs = [#nir.repair<"nir-repair-export{by=norse dt-ns=1000000}", "tau = tau / dt", ["lif"]>]
nir.graph @repaired("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {repairs = [#nir.repair<"nir-repair-export{by=norse dt-ns=1000000}", "tau = tau / dt", ["lif"]>]} {
  nir.output %x : tensor<1xf32>
}

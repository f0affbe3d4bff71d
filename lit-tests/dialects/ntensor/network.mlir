// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b

// One tick of a network, 100 us long. Inputs and outputs have the user's names, and the text keeps the order of the ops.
// CHECK-LABEL: ntensor.network @feed_forward("in put" %x: tensor<2xi1>, "\CE\BB \22x\22" %y: tensor<2xf32>) -> ("a->b": tensor<2xf32>) attributes {tick_ns = 100000 : i64} {
// CHECK-NEXT:    %a = ntensor.sum %x, %y : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    ntensor.output %a : tensor<2xf32>
// CHECK-NEXT:  }
// GENERIC-LABEL: "ntensor.network"() <{sym_name = "feed_forward", function_type = (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf32>, input_names = ["in put", "\CE\BB \22x\22"], output_names = ["a->b"], tick_ns = 100000 : i64}> ({
// GENERIC-NEXT:  ^bb0(%x: tensor<2xi1>, %y: tensor<2xf32>):
// GENERIC:       "ntensor.output"(%a) : (tensor<2xf32>) -> ()
ntensor.network @feed_forward("in put" %x: tensor<2xi1>, "λ \"x\"" %y: tensor<2xf32>) -> ("a->b": tensor<2xf32>) attributes {tick_ns = 100000 : i64} {
  %a = ntensor.sum %x, %y : (tensor<2xi1>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %a : tensor<2xf32>
}

// A loop is use before definition, and contains a delay; so does each of two loops that share an op.
// CHECK-LABEL: ntensor.network @loops
// CHECK-NEXT:    %s = ntensor.sum %x, %b, %d : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %b = ntensor.delay "one" %s {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
// CHECK-NEXT:    %c = ntensor.scale "back" %s
// CHECK-NEXT:    %d = ntensor.delay "each" %c {ticks = #nopt.array<[1, 7] : tensor<2xi64>>} : tensor<2xf32>
// CHECK-NEXT:    %e = ntensor.delay "itself" %e {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xf32>
ntensor.network @loops("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %s = ntensor.sum %x, %b, %d : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ntensor.delay "one" %s {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
  %c = ntensor.scale "back" %s {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.delay "each" %c {ticks = #nopt.array<[1, 7] : tensor<2xi64>>} : tensor<2xf32>
  %e = ntensor.delay "itself" %e {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xf32>
  ntensor.output %s : tensor<2xf32>
}

// Records of approximations: the effect, the nodes, and the errors if they were measured. An output of a network may be
// an input; a network may have annotations, and no inputs.
// CHECK-LABEL: ntensor.network @records() -> () attributes {tick_ns = 1 : i64, approximations = [
// CHECK-SAME:  #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1}", "discretised", ["a", "b"], none, none, "none">
// CHECK-SAME:  #ntensor.approximation<"quantize{bits=8}", "weights rounded", [], 5.000000e-01 : f64, 1.250000e-01 : f64, "1">
// CHECK-SAME:  ], mine.note = "kept"} {
// CHECK-NEXT:    ntensor.output
// CHECK-NEXT:  }
// GENERIC-LABEL: sym_name = "records"
// GENERIC-SAME:  #ntensor.approximation<"quantize{bits=8}", "weights rounded", [], 5.000000e-01 : f64, 1.250000e-01 : f64, "1">
ntensor.network @records() -> () attributes {tick_ns = 1 : i64, approximations = [#ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1}", "discretised", ["a", "b"], none, none, "none">, #ntensor.approximation<"quantize{bits=8}", "weights rounded", [], 5.000000e-01 : f64, 1.250000e-01 : f64, "1">], mine.note = "kept"} {
  ntensor.output
}
ntensor.network @wire("x" %x: tensor<i1>) -> ("y": tensor<i1>, "z": tensor<i1>) attributes {tick_ns = 1 : i64} {
  ntensor.output %x, %x : tensor<i1>, tensor<i1>
}

// Two networks of a module share an update, which may be defined after them; each has its own names.
// CHECK-LABEL: ntensor.network @one
// CHECK:         ntensor.neuron "pop" @pass(%x)
// CHECK-LABEL: ntensor.network @two
// CHECK:         ntensor.neuron "pop" @pass(%x)
// CHECK-LABEL: ntensor.update @pass
ntensor.network @one("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1 : i64} {
  %z = ntensor.neuron "pop" @pass(%x) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}
ntensor.network @two("x" %x: tensor<3xf32>) -> ("out": tensor<3xf32>) attributes {tick_ns = 2 : i64} {
  %z = ntensor.neuron "pop" @pass(%x) {params = {}, initial = {}} : (tensor<3xf32>) -> tensor<3xf32>
  ntensor.output %z : tensor<3xf32>
}
ntensor.update @pass <value> inputs ["x"] step {
^bb0(%x: f32):
  ntensor.emit %x : f32
}

// Weights above 16 elements are stored at the end of the file under a hash of their content, once for all uses.
// CHECK-LABEL: ntensor.network @large
// CHECK:         ntensor.linear "a" %x {weight = #nopt.array<[[KEY:h[0-9a-f]+]] : tensor<17x1xf32>>}
// CHECK:         ntensor.linear "b" %x {weight = #nopt.array<[[KEY]] : tensor<17x1xf32>>}
// CHECK:       dialect_resources
// CHECK:       [[KEY]]:
ntensor.network @large("x" %x: tensor<1xf32>) -> ("out": tensor<17xf32>) attributes {tick_ns = 1 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<"0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000803f" : tensor<17x1xf32>>} : tensor<1xf32> -> tensor<17xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<"0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000803f" : tensor<17x1xf32>>} : tensor<1xf32> -> tensor<17xf32>
  ntensor.output %b : tensor<17xf32>
}

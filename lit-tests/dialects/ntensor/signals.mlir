// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// Signals of every kind pass through a network unchanged: spikes, counts, graded spikes, and values of all types.
// CHECK:      ntensor.network @kinds(
// CHECK-SAME: "spikes" %a: tensor<2xi1>, "counts" %b: tensor<2x!ntensor.count<5>>, "payloads" %c: tensor<2x!ntensor.graded<24>>
// CHECK-SAME: "f32" %d: tensor<2xf32>, "f64" %e: tensor<2xf64>, "i8" %f: tensor<2xi8>, "i24" %g: tensor<2xi24>
// CHECK-SAME: attributes {tick_ns = 1000 : i64}
// GENERIC:      "ntensor.network"() <{
// GENERIC-SAME: tensor<2x!ntensor.count<5>>, tensor<2x!ntensor.graded<24>>
// GENERIC:      "ntensor.output"({{.*}}) : (tensor<2xi1>, tensor<2x!ntensor.count<5>>, tensor<2x!ntensor.graded<24>>, tensor<2xf32>, tensor<2xf64>, tensor<2xi8>, tensor<2xi24>) -> ()
ntensor.network @kinds("spikes" %a: tensor<2xi1>, "counts" %b: tensor<2x!ntensor.count<5>>, "payloads" %c: tensor<2x!ntensor.graded<24>>, "f32" %d: tensor<2xf32>, "f64" %e: tensor<2xf64>, "i8" %f: tensor<2xi8>, "i24" %g: tensor<2xi24>) -> ("o1": tensor<2xi1>, "o2": tensor<2x!ntensor.count<5>>, "o3": tensor<2x!ntensor.graded<24>>, "o4": tensor<2xf32>, "o5": tensor<2xf64>, "o6": tensor<2xi8>, "o7": tensor<2xi24>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %a, %b, %c, %d, %e, %f, %g : tensor<2xi1>, tensor<2x!ntensor.count<5>>, tensor<2x!ntensor.graded<24>>, tensor<2xf32>, tensor<2xf64>, tensor<2xi8>, tensor<2xi24>
}

// The type of a result must represent every number of the operand: 0 or 1 in i8, i8 in i32, i24 and f32 in f32 and f64.
// The same holds for weights: i8 and f16 are numbers of f32, and 0.5 of f64 is a number of f32.
// CHECK-LABEL: ntensor.network @exact
// CHECK:       ntensor.scale "i8" {{.*}} : tensor<2xi1> -> tensor<2xi8>
// CHECK-NEXT:  ntensor.scale "i32" {{.*}} : tensor<2xi8> -> tensor<2xi32>
// CHECK-NEXT:  ntensor.sum {{.*}} : (tensor<2xi8>) -> tensor<2xf32>
// CHECK-NEXT:  ntensor.sum {{.*}} : (tensor<2xi24>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
// CHECK-NEXT:  ntensor.sum {{.*}} : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT:  ntensor.scale "half" {{.*}} {scale = #nopt.array<0.5 : tensor<f64>>} : tensor<2xf32> -> tensor<2xf32>
ntensor.network @exact("x" %x: tensor<2xi1>, "y" %y: tensor<2xi24>) -> ("out": tensor<2xf64>, "half out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.scale "i8" %x {scale = #nopt.array<-128 : tensor<i64>>} : tensor<2xi1> -> tensor<2xi8>
  %b = ntensor.scale "i32" %a {scale = #nopt.array<[3, 4] : tensor<2xui8>>} : tensor<2xi8> -> tensor<2xi32>
  %c = ntensor.sum %a : (tensor<2xi8>) -> tensor<2xf32>
  %d = ntensor.sum %y, %c, %x : (tensor<2xi24>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  %e = ntensor.sum %b, %d : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf64>
  %f = ntensor.scale "half" %d {scale = #nopt.array<0.5 : tensor<f64>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %e, %f : tensor<2xf64>, tensor<2xf32>
}

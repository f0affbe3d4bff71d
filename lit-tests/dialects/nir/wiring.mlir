// RUN: nopt %s | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b

// The sum of spikes and values is a value; the order of its operands is kept.
// CHECK-LABEL: nir.graph @sum
// CHECK-NEXT:    nir.sum %b, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
// GENERIC:       "nir.sum"(%b, %a, %b) : (tensor<2xi1>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
nir.graph @sum("a" %a: tensor<2xf32>, "b" %b: tensor<2xi1>) -> ("out": tensor<2xf32>) {
  %s = nir.sum %b, %a, %b : (tensor<2xi1>, tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  nir.output %s : tensor<2xf32>
}

// Identity, flatten and delay keep the kind of their operand.
// CHECK-LABEL: nir.graph @kinds
// CHECK-NEXT:    nir.identity "i" %x : tensor<2x3x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT:    nir.delay "d" %{{\S+}} {delay = #nopt.array<0.001 : tensor<f32>>} : tensor<2x3x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT:    nir.flatten "f" %{{\S+}} {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x3x4xi1> -> tensor<24xi1>
nir.graph @kinds("in" %x: tensor<2x3x4xi1>) -> ("out": tensor<24xi1>) {
  %i = nir.identity "i" %x : tensor<2x3x4xi1> -> tensor<2x3x4xi1>
  %d = nir.delay "d" %i {delay = #nopt.array<0.001 : tensor<f32>>} : tensor<2x3x4xi1> -> tensor<2x3x4xi1>
  %f = nir.flatten "f" %d {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x3x4xi1> -> tensor<24xi1>
  nir.output %f : tensor<24xi1>
}

// Flatten may take some of the axes, counted from either end; 2 x 3 = 6, 3 x 4 = 12.
// CHECK-LABEL: nir.graph @axes
// CHECK-NEXT:    tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK-NEXT:    tensor<2x3x4xf32> -> tensor<2x12xf32>
// CHECK-NEXT:    tensor<2x3x4xf32> -> tensor<2x3x4xf32>
nir.graph @axes("in" %x: tensor<2x3x4xf32>) -> ("a": tensor<6x4xf32>, "b": tensor<2x12xf32>, "c": tensor<2x3x4xf32>) {
  %a = nir.flatten "first" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %b = nir.flatten "last" %x {start_dim = #nopt.array<-2 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x3x4xf32> -> tensor<2x12xf32>
  %c = nir.flatten "none" %x {start_dim = #nopt.array<1 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  nir.output %a, %b, %c : tensor<6x4xf32>, tensor<2x12xf32>, tensor<2x3x4xf32>
}

// A reshape splits axes, too; 24 = 2 x 12 = 2 x 3 x 4.
// CHECK-LABEL: nir.graph @reshapes
// CHECK-NEXT:    nir.reshape "rows" %x {shape = #nopt.array<[2, 12] : tensor<2xi64>>} : tensor<24xi1> -> tensor<2x12xi1>
// CHECK-NEXT:    nir.reshape "maps" %{{\S+}} {shape = #nopt.array<[2, 3, 4] : tensor<3xi64>>} : tensor<2x12xi1> -> tensor<2x3x4xi1>
nir.graph @reshapes("in" %x: tensor<24xi1>) -> ("out": tensor<2x3x4xi1>) {
  %a = nir.reshape "rows" %x {shape = #nopt.array<[2, 12] : tensor<2xi64>>} : tensor<24xi1> -> tensor<2x12xi1>
  %b = nir.reshape "maps" %a {shape = #nopt.array<[2, 3, 4] : tensor<3xi64>>} : tensor<2x12xi1> -> tensor<2x3x4xi1>
  nir.output %b : tensor<2x3x4xi1>
}

// A delay for each neuron.
// CHECK-LABEL: nir.graph @delays
// CHECK-NEXT:    nir.delay "d" %x {delay = #nopt.array<[0.0, 0.002] : tensor<2xf64>>}
nir.graph @delays("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %d = nir.delay "d" %x {delay = #nopt.array<[0.0, 0.002] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %d : tensor<2xf32>
}

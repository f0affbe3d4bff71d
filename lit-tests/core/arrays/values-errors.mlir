// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s

// A population needs the parameter of each of its neurons. 10^12 of them exceed the memory of a machine.
// CHECK:      error[COR005]: an array that is a rule does not fit into memory
// CHECK-NEXT:   expected: at most {{[0-9]+}} bytes, the memory of this machine
// CHECK-NEXT:   found: 1000000000000 elements of 4 bytes by constant(value = 1.0)
// CHECK-NEXT:   help: give the array fewer elements
nir.graph @wide("in" %x: tensor<1000000000000xf32>) -> ("out": tensor<1000000000000xi1>) {
  %z = nir.threshold "z" %x {threshold = #nopt.array<constant(value = 1.0) : tensor<1000000000000xf32>>} : tensor<1000000000000xf32> -> tensor<1000000000000xi1>
  nir.output %z : tensor<1000000000000xi1>
}

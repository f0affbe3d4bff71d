// RUN: nopt %s -p 'kernels-split-integers{features=none}' | filecheck %s
// RUN: nopt %s -p 'kernels-split-integers{features=int64}' | filecheck %s --check-prefix=WHOLE
// RUN: not nopt %s -p 'kernels-split-integers{features=int4}' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// The state is two words, the lower first, at 2 e and 2 e + 1; the carry of the sum enters the upper word.
// CHECK:      kernels.buffer "v" #kernels<kind state> {storage = #kernels<storage split>} : memref<2xi64>
// CHECK:      [[FIRST:%.+]] = arith.muli %{{.+}}, %{{.+}} : index
// CHECK:      [[LOW:%.+]] = kernels.load %v[[[FIRST]]] : memref<2xi64> -> i32
// CHECK:      [[HIGH:%.+]] = kernels.load %v[%{{.+}}] : memref<2xi64> -> i32
// CHECK:      [[SUM:%.+]] = arith.addi [[LOW]], %{{.+}} : i32
// CHECK:      [[CARRY:%.+]] = arith.cmpi ult, [[SUM]], [[LOW]] : i32
// CHECK:      [[ADDED:%.+]] = arith.select [[CARRY]],
// CHECK:      arith.addi [[HIGH]], [[ADDED]] : i32

// Modulo 2^32, the upper word is 0. An integer of 31 bits is one word.
// CHECK:      kernels.integer %{{.+}} : !fixed.int<0, 2147483647>
// CHECK:      kernels.store [[SUM]], %v[%{{.+}}] : i32, memref<2xi64>
// CHECK:      kernels.store %{{.+}}, %y[%{{.+}}] : !fixed.int<0, 2147483647>, memref<2xi32>

// A device with integers of 64 bits keeps them.
// WHOLE:      kernels.buffer "v" #kernels<kind state> : memref<2xi64>
// WHOLE:      fixed.add {{.+}} -> !fixed.int<1, 4294967297>

// UNKNOWN:      error[KNL003]: unknown feature "int4"
// UNKNOWN:        expected: int64, fp64, int8, int16
// UNKNOWN:        help: leave out int4
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = kernels.buffer "v" #kernels<kind state> : memref<2xi64>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xi32>
  kernels.kernel "step" %v, %y {workgroup = 2 : i64} : memref<2xi64>, memref<2xi32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %before = kernels.load %v[%e] : memref<2xi64> -> !fixed.int<0, 4294967296>
      %one = fixed.constant 1 : !fixed.int<1, 1>
      %sum = fixed.add %before, %one : !fixed.int<0, 4294967296>, !fixed.int<1, 1> -> !fixed.int<1, 4294967297>
      %after = fixed.wrap %sum : !fixed.int<1, 4294967297> -> !fixed.int<0, 4294967295>
      %scaled = fixed.shr %after, %one : !fixed.int<0, 4294967295>, !fixed.int<1, 1> -> !fixed.int<0, 2147483647>
      kernels.store %after, %v[%e] : !fixed.int<0, 4294967295>, memref<2xi64>
      kernels.store %scaled, %y[%e] : !fixed.int<0, 2147483647>, memref<2xi32>
    }
  }
}

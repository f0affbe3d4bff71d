// RUN: nopt %s --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s

// A ring of three rows is read at the row of the tick; a truth value is stored as an integer.
// CHECK:      kernels.tick
// CHECK:      kernels.load %{{.+}}[%{{.+}}] : memref<6xsi8> -> !fixed.int<-128, 127>
// CHECK:      kernels.assume %{{.+}} : !fixed.int<-128, 127> -> !fixed.int<-3, 3>
// CHECK:      kernels.store %{{.+}}, %{{.+}}[%{{.+}}] : i1, memref<2xui8>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %ring = kernels.buffer "ring" #kernels<kind state> : memref<6xsi8>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xui8>
  kernels.kernel "step" %ring, %y {workgroup = 2 : i64} : memref<6xsi8>, memref<2xui8> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %rows = arith.constant 3 : index
      %two = arith.constant 2 : index
      %t = kernels.tick
      %row = arith.remui %t, %rows : index
      %first = arith.muli %row, %two : index
      %i = arith.addi %first, %e : index
      %x = kernels.load %ring[%i] : memref<6xsi8> -> !fixed.int<-128, 127>
      %small = kernels.assume %x : !fixed.int<-128, 127> -> !fixed.int<-3, 3>
      %zero = fixed.constant 0 : !fixed.int<0, 0>
      %z = fixed.cmp gt %small, %zero : !fixed.int<-3, 3>, !fixed.int<0, 0>
      kernels.store %z, %y[%e] : i1, memref<2xui8>
    }
  }
}

// -----

// An integer becomes the word of its lower 32 bits, and a word an integer of at most 32 bits.
// CHECK:      kernels.word %{{.+}} : !fixed.int<-5, 8589934592>
// CHECK:      kernels.integer %{{.+}} : !fixed.int<-9, 9>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = kernels.buffer "v" #kernels<kind state> : memref<2xi64>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xi32>
  kernels.kernel "step" %v, %y {workgroup = 2 : i64} : memref<2xi64>, memref<2xi32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %x = kernels.load %v[%e] : memref<2xi64> -> !fixed.int<-5, 8589934592>
      %low = kernels.word %x : !fixed.int<-5, 8589934592>
      %small = kernels.integer %low : !fixed.int<-9, 9>
      kernels.store %small, %y[%e] : !fixed.int<-9, 9>, memref<2xi32>
    }
  }
}

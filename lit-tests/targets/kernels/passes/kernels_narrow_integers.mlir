// RUN: nopt %s -p kernels-narrow-integers | filecheck %s

// Spikes are 0 or 1, a constant is in the interval of its numbers, and a state in that of all that is stored there: zeros and -100 to 100.
// CHECK:      kernels.load %x[%{{.+}}] : memref<2xui8> -> !fixed.int<0, 1>
// CHECK:      kernels.load %w[%{{.+}}] : memref<2xsi8> -> !fixed.int<-3, 9>
// CHECK:      kernels.load %n[%{{.+}}] : memref<2xi32> -> !fixed.int<-100, 100>
// CHECK:      [[TERM:%.+]] = fixed.mul {{.+}} -> !fixed.int<-3, 9>
// CHECK:      [[AFTER:%.+]] = fixed.saturate {{.+}} : !fixed.int<-103, 109> -> !fixed.int<-100, 100>

// A saturation that changes no integer is removed.
// CHECK-NOT:  fixed.saturate
// CHECK:      kernels.store [[TERM]], %y[%{{.+}}] : !fixed.int<-3, 9>, memref<2xi64>
kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = kernels.buffer "x" #kernels<kind input> {spikes} : memref<2xui8>
  %w = kernels.buffer "w" #kernels<kind constant> {values = #nopt.array<[-3, 9] : tensor<2xi8>>} : memref<2xsi8>
  %n = kernels.buffer "n" #kernels<kind state> : memref<2xi32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xi64>
  kernels.kernel "step" %x, %w, %n, %y {workgroup = 2 : i64} : memref<2xui8>, memref<2xsi8>, memref<2xi32>, memref<2xi64> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %spike = kernels.load %x[%e] : memref<2xui8> -> !fixed.int<0, 255>
      %weight = kernels.load %w[%e] : memref<2xsi8> -> !fixed.int<-128, 127>
      %before = kernels.load %n[%e] : memref<2xi32> -> !fixed.int<-2147483648, 2147483647>
      %term = fixed.mul %weight, %spike : !fixed.int<-128, 127>, !fixed.int<0, 255> -> !fixed.int<-32640, 32385>
      %sum = fixed.add %before, %term : !fixed.int<-2147483648, 2147483647>, !fixed.int<-32640, 32385> -> !fixed.int<-2147516288, 2147516032>
      %after = fixed.saturate %sum : !fixed.int<-2147516288, 2147516032> -> !fixed.int<-100, 100>
      %small = fixed.saturate %term : !fixed.int<-32640, 32385> -> !fixed.int<-512, 511>
      kernels.store %after, %n[%e] : !fixed.int<-100, 100>, memref<2xi32>
      kernels.store %small, %y[%e] : !fixed.int<-512, 511>, memref<2xi64>
    }
  }
}

// A sum that a loop carries keeps its interval; the result of a test has that of its branches.
// CHECK:      scf.for {{.+}} iter_args(%{{.+}} = %{{.+}}) -> (!fixed.int<0, 1000>)
// CHECK:      kernels.load %b[%{{.+}}] : memref<4xui8> -> !fixed.int<0, 1>
// CHECK:      scf.if %{{.+}} -> (!fixed.int<0, 1000>)
// CHECK:      scf.if %{{.+}} -> (!fixed.int<0, 5>)
kernels.program @loops attributes {prefix = "loops", tick_ns = 1000 : i64} {
  %b = kernels.buffer "b" #kernels<kind input> {spikes} : memref<4xui8>
  %z = kernels.buffer "z" #kernels<kind output> : memref<2xi32>
  kernels.kernel "loop" %b, %z {workgroup = 2 : i64} : memref<4xui8>, memref<2xi32> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %zero = arith.constant 0 : index
      %four = arith.constant 4 : index
      %next = arith.constant 1 : index
      %none = fixed.constant 0 : !fixed.int<0, 0>
      %five = fixed.constant 5 : !fixed.int<5, 5>
      %start = kernels.assume %none : !fixed.int<0, 0> -> !fixed.int<0, 1000>
      %sum = scf.for %i = %zero to %four step %next iter_args(%held = %start) -> (!fixed.int<0, 1000>) {
        %x = kernels.load %b[%i] : memref<4xui8> -> !fixed.int<0, 255>
        %is_active = fixed.cmp gt %x, %none : !fixed.int<0, 255>, !fixed.int<0, 0>
        %after = scf.if %is_active -> (!fixed.int<0, 1000>) {
          %y = fixed.add %held, %x : !fixed.int<0, 1000>, !fixed.int<0, 255> -> !fixed.int<0, 1255>
          %known = kernels.assume %y : !fixed.int<0, 1255> -> !fixed.int<0, 1000>
          scf.yield %known : !fixed.int<0, 1000>
        } else {
          scf.yield %held : !fixed.int<0, 1000>
        }
        scf.yield %after : !fixed.int<0, 1000>
      }
      %is_many = fixed.cmp gt %sum, %five : !fixed.int<0, 1000>, !fixed.int<5, 5>
      %first = kernels.assume %five : !fixed.int<5, 5> -> !fixed.int<0, 255>
      %second = kernels.assume %none : !fixed.int<0, 0> -> !fixed.int<0, 255>
      %result = scf.if %is_many -> (!fixed.int<0, 255>) {
        scf.yield %first : !fixed.int<0, 255>
      } else {
        scf.yield %second : !fixed.int<0, 255>
      }
      kernels.store %result, %z[%e] : !fixed.int<0, 255>, memref<2xi32>
    }
  }
}

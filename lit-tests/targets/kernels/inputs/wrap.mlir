kernels.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %v = kernels.buffer "memory" #kernels<kind state> : memref<2xi64>
  %x = kernels.buffer "x" #kernels<kind state> : memref<2xi32>
  %y = kernels.buffer "y" #kernels<kind output> : memref<2xi32>
  kernels.kernel "step" %x, %y, %v {workgroup = 2 : i64} : memref<2xi32>, memref<2xi32>, memref<2xi64> {
    kernels.stage 2 {
    ^bb0(%e : index):
      %before = kernels.load %x[%e] : memref<2xi32> -> !fixed.int<-100000, 100000>
      %inside = fixed.wrap %before : !fixed.int<-100000, 100000> -> !fixed.int<-5, 11>
      kernels.store %inside, %y[%e] : !fixed.int<-5, 11>, memref<2xi32>
      %one = fixed.constant 1 : !fixed.int<1, 1>
      %wide = kernels.load %v[%e] : memref<2xi64> -> !fixed.int<0, 4294967296>
      %sum = fixed.add %wide, %one : !fixed.int<0, 4294967296>, !fixed.int<1, 1> -> !fixed.int<1, 4294967297>
      kernels.store %sum, %v[%e] : !fixed.int<1, 4294967297>, memref<2xi64>
    }
  }
}

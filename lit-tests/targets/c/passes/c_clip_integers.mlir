// RUN: nopt %s --split-input-file -p c-clip-integers | filecheck %s

// The result is 0 to 1000 for every x outside of -13..138, with v in -100..100 and a gain of at least 8: -100 / 8 = -12.5, (1000 + 100) / 8 = 137.5.
// The product then needs 13 bits instead of 36: 138 * 16 = 2208.
// CHECK-LABEL: c.program @operands
// CHECK:         [[X:%[0-9]+]] = fixed.saturate %{{.*}} : !fixed.int<-2147483648, 2147483647> -> !fixed.int<-13, 138>
// CHECK-NEXT:    [[P:%[0-9]+]] = fixed.mul [[X]], %{{.*}} -> !fixed.int<-208, 2208>
// CHECK-NEXT:    [[S:%[0-9]+]] = fixed.add %{{.*}}, [[P]] : {{.*}} -> !fixed.int<-308, 2308>
// CHECK-NEXT:    fixed.saturate [[S]] : {{.*}} -> !fixed.int<0, 1000>
c.program @operands attributes {prefix = "net", tick_ns = 1000 : i64} {
  %0 = c.buffer "x" #c<kind input> {node = "x"} : memref<2xsi32>
  %1 = c.buffer "v" #c<kind input> {node = "v"} : memref<2xsi8>
  %2 = c.buffer "gain" #c<kind input> {node = "gain"} : memref<2xsi8>
  %3 = c.buffer "y" #c<kind output> {node = "y"} : memref<2xsi16>
  c.tick {
    c.loop "y"(%0, %1, %2) -> (%3) : (memref<2xsi32>, memref<2xsi8>, memref<2xsi8>) -> (memref<2xsi16>) {
    ^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: !fixed.int<-100, 100>, %g: !fixed.int<8, 16>):
      %p = fixed.mul %x, %g : !fixed.int<-2147483648, 2147483647>, !fixed.int<8, 16> -> !fixed.int<-34359738368, 34359738352>
      %s = fixed.add %v, %p : !fixed.int<-100, 100>, !fixed.int<-34359738368, 34359738352> -> !fixed.int<-34359738468, 34359738452>
      %y = fixed.saturate %s : !fixed.int<-34359738468, 34359738452> -> !fixed.int<0, 1000>
      c.yield %y : !fixed.int<0, 1000>
    }
  }
}

// -----

// A gain of zero leaves the product as it is, and its result is clipped: -100 and 1000 + 100.
// CHECK-LABEL: c.program @results
// CHECK:         [[P:%[0-9]+]] = fixed.mul {{.*}} -> !fixed.int<-34359738368, 34359738352>
// CHECK-NEXT:    fixed.saturate [[P]] : {{.*}} -> !fixed.int<-100, 1100>
// CHECK-NEXT:    fixed.add
c.program @results attributes {prefix = "net", tick_ns = 1000 : i64} {
  %0 = c.buffer "x" #c<kind input> {node = "x"} : memref<2xsi32>
  %1 = c.buffer "v" #c<kind input> {node = "v"} : memref<2xsi8>
  %2 = c.buffer "gain" #c<kind input> {node = "gain"} : memref<2xsi8>
  %3 = c.buffer "y" #c<kind output> {node = "y"} : memref<2xsi16>
  c.tick {
    c.loop "y"(%0, %1, %2) -> (%3) : (memref<2xsi32>, memref<2xsi8>, memref<2xsi8>) -> (memref<2xsi16>) {
    ^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: !fixed.int<-100, 100>, %g: !fixed.int<0, 16>):
      %p = fixed.mul %x, %g : !fixed.int<-2147483648, 2147483647>, !fixed.int<0, 16> -> !fixed.int<-34359738368, 34359738352>
      %s = fixed.add %v, %p : !fixed.int<-100, 100>, !fixed.int<-34359738368, 34359738352> -> !fixed.int<-34359738468, 34359738452>
      %y = fixed.saturate %s : !fixed.int<-34359738468, 34359738452> -> !fixed.int<0, 1000>
      c.yield %y : !fixed.int<0, 1000>
    }
  }
}

// -----

// The whole sum is stored: nothing is clipped. The second loop saturates twice, and the wider of its two saturations is left out.
// CHECK-LABEL: c.program @whole
// CHECK:       c.loop "sum"
// CHECK-NOT:     fixed.saturate
// CHECK:       c.loop "twice"
// CHECK:         fixed.saturate %{{.*}} : !fixed.int<-2147483648, 2147483647> -> !fixed.int<0, 100>
// CHECK-NOT:     fixed.saturate
c.program @whole attributes {prefix = "net", tick_ns = 1000 : i64} {
  %0 = c.buffer "x" #c<kind input> {node = "x"} : memref<2xsi32>
  %1 = c.buffer "y" #c<kind output> {node = "y"} : memref<2xsi64>
  %2 = c.buffer "z" #c<kind output> {node = "z"} : memref<2xsi8>
  c.tick {
    c.loop "sum"(%0) -> (%1) : (memref<2xsi32>) -> (memref<2xsi64>) {
    ^bb0(%x: !fixed.int<-2147483648, 2147483647>):
      %s = fixed.add %x, %x : !fixed.int<-2147483648, 2147483647>, !fixed.int<-2147483648, 2147483647> -> !fixed.int<-4294967296, 4294967294>
      c.yield %s : !fixed.int<-4294967296, 4294967294>
    }
    c.loop "twice"(%0) -> (%2) : (memref<2xsi32>) -> (memref<2xsi8>) {
    ^bb0(%x: !fixed.int<-2147483648, 2147483647>):
      %a = fixed.saturate %x : !fixed.int<-2147483648, 2147483647> -> !fixed.int<-500, 500>
      %b = fixed.saturate %a : !fixed.int<-500, 500> -> !fixed.int<0, 100>
      c.yield %b : !fixed.int<0, 100>
    }
  }
}

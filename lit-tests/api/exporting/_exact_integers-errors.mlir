// RUN: rm -rf %t.dir && mkdir -p %t.dir
// A sum of integers that float64 does not hold.
// RUN: exits 1 nopt export %s --torch --target c -o %t.dir/chip.py 2>&1 | filecheck %s
// CHECK:      error[PYT002]: a sum exceeds the integers that float64 holds
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: integers of 53 bits, -9007199254740992..9007199254740992
// CHECK-NEXT:   found: -{{[0-9]+}}..{{[0-9]+}}
ntensor.network @net("input" %x: tensor<2xi48>) -> ("output": tensor<1xi64>) attributes {tick_ns = 1000000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[100, -100]] : tensor<1x2xi8>>} : tensor<2xi48> -> tensor<1xi64>
  ntensor.output %y : tensor<1xi64>
}

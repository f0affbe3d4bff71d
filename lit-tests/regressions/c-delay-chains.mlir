// A delay of zero ticks is a view in C, so "second" reads the row of "first" under another name. Formerly "second" read it after the end
// of the tick had overwritten it, and was one tick early.
// RUN: nopt %s -p convert-ntensor-to-c | filecheck %s
// CHECK:      c.loop "second_aside"(%{{.*}}) -> ([[ASIDE:%.*]]) : {{.*}}
// CHECK:      c.loop "first"(%{{.*}}) -> (%{{.*}}) : {{.*}}
// CHECK:      c.loop "second"([[ASIDE]]) -> (%{{.*}}) : {{.*}}

// RUN: python %S/inputs/ramp.py %t.npy
// RUN: nopt run %s --input %t.npy --engine native -o %t.csv && filecheck %s --check-prefix=VALUES --input-file %t.csv
// RUN: nopt run %s --input %t.npy --engine numpy -o %t.csv && filecheck %s --check-prefix=VALUES --input-file %t.csv
// VALUES:      tick,y[0]
// VALUES-NEXT: 0,0.0
// VALUES-NEXT: 1,0.0
// VALUES-NEXT: 2,1.0
// VALUES-NEXT: 3,2.0

ntensor.network @chain("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %first = ntensor.delay "first" %x {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
  %none = ntensor.delay "none" %first {ticks = #nopt.array<0 : tensor<i64>>} : tensor<1xf64>
  %second = ntensor.delay "second" %none {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
  ntensor.output %second : tensor<1xf64>
}

// RUN: nopt %s -p 'convert-ntensor-to-c,c-fuse-loops,c-plan-memory' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,c-fuse-loops,c-plan-memory' -t c | filecheck %s --check-prefix=C

// A quotient by 3 or 7 that is at least 0 becomes a product: dividends are 0 to 227, 2^9 / 3 = 170.7 and 2^9 / 7 = 73.1 become 171 and 74. The errors
// 171 * 3 - 512 = 1 and 74 * 7 - 512 = 6 times 227 are 227 and 1362, which is above 512; 2^10: 342 * 3 - 1024 = 2 and 147 * 7 - 1024 = 5, 1135 is
// above 1024; 2^11: 683 * 3 - 2048 = 1 and 293 * 7 - 2048 = 3, and 3 * 227 = 681 is below 2048.
// CHECK-LABEL: c.program @net
// CHECK:       c.buffer "n_reciprocal" #c<kind constant> {values = #nopt.array<[683, 293] : tensor<2xi16>>}
// CHECK:       c.loop "n"
// CHECK:         %[[A:[0-9]+]] = fixed.saturate %{{[0-9]+}} : !fixed.int<-227, 227> -> !fixed.int<0, 227>
// CHECK-NEXT:    %[[P:[0-9]+]] = fixed.mul %[[A]], %{{[0-9]+}} : !fixed.int<0, 227>, !fixed.int<293, 683>
// CHECK-NEXT:    %{{[0-9]+}} = fixed.constant 11
// CHECK-NEXT:    fixed.shr %[[P]],
// CHECK-NOT:     fixed.div

// A quotient that may be negative is divided.
// CHECK:       c.loop "signed_"
// CHECK:         fixed.div

// C-LABEL: static void net_loop_n(
// C:         {{.*}} * {{.*}};
// C:         {{.*}} >> 11;
ntensor.update @many.i8 <value> inputs ["a"] states ["v"] params ["th"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%th: !fixed.int<1, 100>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-100, 99>
  ntensor.initial %1 : !fixed.int<-100, 99>
} step {
^bb0(%a: !fixed.int<-128, 127>, %v: !fixed.int<-100, 99>, %th: !fixed.int<1, 100>):
  %w = fixed.add %v, %a : !fixed.int<-100, 99>, !fixed.int<-128, 127> -> !fixed.int<-228, 226>
  %1 = fixed.constant 1 : !fixed.int<1, 1>
  %2 = fixed.add %w, %1 : !fixed.int<-228, 226>, !fixed.int<1, 1> -> !fixed.int<-227, 227>
  %q = fixed.div floor %2, %th : !fixed.int<-227, 227>, !fixed.int<1, 100> -> !fixed.int<-227, 227>
  %z = fixed.saturate %q : !fixed.int<-227, 227> -> !fixed.int<0, 127>
  %3 = fixed.saturate %w : !fixed.int<-228, 226> -> !fixed.int<-100, 99>
  ntensor.emit %z, %3 : !fixed.int<0, 127>, !fixed.int<-100, 99>
}
ntensor.update @low.i8 <value> inputs ["a"] states ["v"] params ["th"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%th: !fixed.int<1, 100>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-100, 99>
  ntensor.initial %1 : !fixed.int<-100, 99>
} step {
^bb0(%a: !fixed.int<-128, 127>, %v: !fixed.int<-100, 99>, %th: !fixed.int<1, 100>):
  %q = fixed.div floor %a, %th : !fixed.int<-128, 127>, !fixed.int<1, 100> -> !fixed.int<-128, 127>
  %z = fixed.saturate %q : !fixed.int<-128, 127> -> !fixed.int<-1, 127>
  ntensor.emit %z, %v : !fixed.int<-1, 127>, !fixed.int<-100, 99>
}
ntensor.network @net("x" %x: tensor<2xi8>) -> ("y": tensor<2xi8>, "z": tensor<2xi8>) attributes {tick_ns = 1000} {
  %y = ntensor.neuron "n" @many.i8(%x) {params = {th = #nopt.array<[3, 7] : tensor<2xi8>>}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi8>) -> tensor<2xi8>
  %z = ntensor.neuron "signed" @low.i8(%x) {params = {th = #nopt.array<[3, 7] : tensor<2xi8>>}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi8>) -> tensor<2xi8>
  ntensor.output %y, %z : tensor<2xi8>, tensor<2xi8>
}

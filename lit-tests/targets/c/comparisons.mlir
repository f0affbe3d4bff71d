// Compilers warn of a comparison of a number with itself, so the text has none: max(x, x) is x, and x < x is 0.
// RUN: nopt %s -t c | filecheck %s

// CHECK:      const net_short v1 = (net_short)lif_v[j];
// CHECK-NEXT: const net_short [[Y:v[0-9]+]] = (net_short)(0 ? v0 : v1);
// CHECK-NEXT: lif_v[j] = (int8_t)[[Y]];
ntensor.update @same.f32 <value> inputs ["x"] states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%x: !fixed.int<-128, 127>, %v: !fixed.int<-128, 127>):
  %0 = fixed.max %v, %v : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  %1 = fixed.cmp lt %0, %v : !fixed.int<-128, 127>, !fixed.int<-128, 127>
  %2 = fixed.select %1, %x, %0 : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  ntensor.emit %2, %2 : !fixed.int<-128, 127>, !fixed.int<-128, 127>
}
ntensor.network @net("input" %x: tensor<2xi8>) -> ("output": tensor<2xi8>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @same.f32(%x) {params = {}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi8>) -> tensor<2xi8>
  ntensor.output %z : tensor<2xi8>
}

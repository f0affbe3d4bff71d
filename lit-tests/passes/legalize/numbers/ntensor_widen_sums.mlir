// RUN: nopt %s -p ntensor-widen-sums | filecheck %s
// RUN: nopt %s -p 'ntensor-widen-sums,convert-ntensor-to-c' -o /dev/null

// A population whose input has 9 bits reads sums of 200: they get 9 bits, since it would refuse 16.
// RUN: nopt %S/../inputs/pinned.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=population scale=power-of-two},ntensor-set-neuron-model{to="%S/../inputs/pinned.neuron" neuron=curved approximate=dynamics,threshold}' | mutate 's/\[64, -32, 0, 0\]/[100, 100, 0, 0]/' - > %t.mlir
// RUN: nopt %t.mlir -p ntensor-widen-sums | filecheck %s --check-prefix=READER
// READER: ntensor.linear "0" {{.*}} : tensor<4xi1> -> tensor<2xi9>
// READER: ntensor.sum {{.*}} -> tensor<2xi9>

// 100 + 100 does not fit 8 bits, nor 50 times that 16. Readers of a wider sum become as wide: the reshape, the delay, the sum and the
// output. "fits" is unchanged. The input of @half saturates, so it accepts any width.
// CHECK: ntensor.network @net({{.*}}) -> ("out": tensor<1xi32>, "z": tensor<1x!ntensor.count<13>>)
// CHECK-NEXT: ntensor.linear "fits" {{.*}} -> tensor<1xi8>
// CHECK-NEXT: ntensor.linear "fc" {{.*}} : tensor<2xi1> -> tensor<1xi16>
// CHECK-NEXT: ntensor.reshape "same" {{.*}} : tensor<1xi16> -> tensor<1xi16>
// CHECK-NEXT: ntensor.delay "late" {{.*}} : tensor<1xi16>
// CHECK-NEXT: ntensor.linear "more" {{.*}} : tensor<1xi16> -> tensor<1xi16>
// CHECK-NEXT: ntensor.sum {{.*}} : (tensor<1xi16>, tensor<1xi8>, tensor<1xi16>) -> tensor<1xi16>
// CHECK-NEXT: ntensor.linear "last" {{.*}} : tensor<1xi16> -> tensor<1xi32>
// CHECK-NEXT: ntensor.neuron "n" @half
ntensor.update @half <count> inputs ["a"] states ["v"] params ["th"] raw ["th"] derive {
^bb0(%dt: f64, %th: f64):
  ntensor.derived %th : f64
} initial {
^bb0(%th_1: !fixed.int<1, 127>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 15>
  ntensor.initial %1 : !fixed.int<0, 15>
} step {
^bb0(%a: !fixed.int<-9223372036854775808, 9223372036854775807>, %v: !fixed.int<0, 15>, %th_2: !fixed.int<1, 127>):
  %2 = fixed.saturate %a : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<0, 4095>
  %a_1 = ntensor.let "a" %2 : !fixed.int<0, 4095>
  %3 = fixed.add %v, %a_1 : !fixed.int<0, 15>, !fixed.int<0, 4095> -> !fixed.int<0, 4110>
  %w = ntensor.let "w" %3 : !fixed.int<0, 4110>
  %4 = fixed.saturate %w : !fixed.int<0, 4110> -> !fixed.int<0, 15>
  %v_1 = ntensor.let "v" %4 : !fixed.int<0, 15>
  %5 = fixed.div floor %w, %th_2 : !fixed.int<0, 4110>, !fixed.int<1, 127> -> !fixed.int<0, 4110>
  ntensor.emit %5, %v_1 : !fixed.int<0, 4110>, !fixed.int<0, 15>
}
ntensor.network @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>, "z": tensor<1x!ntensor.count<13>>) attributes {tick_ns = 1000000} {
  %fits = ntensor.linear "fits" %x {weight = #nopt.array<[[100, 27]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %fc = ntensor.linear "fc" %x {weight = #nopt.array<[[100, 100]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %same = ntensor.reshape "same" %fc : tensor<1xi8> -> tensor<1xi8>
  %late = ntensor.delay "late" %same {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi8>
  %more = ntensor.linear "more" %late {weight = #nopt.array<[[50]] : tensor<1x1xi8>>} : tensor<1xi8> -> tensor<1xi16>
  %sum = ntensor.sum %more, %fits, %fc : (tensor<1xi16>, tensor<1xi8>, tensor<1xi8>) -> tensor<1xi16>
  %last = ntensor.linear "last" %sum {weight = #nopt.array<[[5]] : tensor<1x1xi8>>} : tensor<1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "n" @half(%last) {params = {th = #nopt.array<20 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}} : (tensor<1xi16>) -> tensor<1x!ntensor.count<13>>
  ntensor.output %last, %z : tensor<1xi16>, tensor<1x!ntensor.count<13>>
}

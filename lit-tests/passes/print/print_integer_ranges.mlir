// RUN: nopt %s -p print-integer-ranges 2>&1 | filecheck %s
// RUN: nopt %s -p print-integer-ranges 2>/dev/null | filecheck %s --check-prefix=SAME

// A weight of 10 that learns from -3.5 to 20.5 reaches -4 and 21, so that sums of four spikes are -16 to 84.
// RUN: mutate 's/"fc" %flat {/"fc" %flat {plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -3.5, 20.5>, /' %s | nopt - -p print-integer-ranges 2>&1 | filecheck %s --check-prefix=LEARNS
// LEARNS: note: ntensor.linear "fc": sums in -16..84, i8

// The type of the pool holds 127, but a pool of four spikes is at most 4, so "fc" is at most 40. The population emits floor((v + a) / 20)
// with v <= 15 and a <= 4095, so at first 4110 / 20 = 205; feedback narrows that to 465 / 20 = 23, 101 / 20 = 5, 65 / 20 = 3 and 61 / 20 = 3.
// The last op is a sum that can exceed its type: 3 times 50. The network is unchanged.
// CHECK: remark[MAP018]: integer ranges of @net
// CHECK-NEXT: at: ntensor.network @net
// CHECK-NEXT: note: input "in": 0..1, i1
// CHECK-NEXT: note: ntensor.sum_pool2d "pool": sums in 0..4, i8
// CHECK-NEXT: note: ntensor.reshape "flat": 0..4, i8
// CHECK-NEXT: note: ntensor.linear "fc": sums in 0..40, i8
// CHECK-NEXT: note: ntensor.delay "late": 0..3, !ntensor.count<13>
// CHECK-NEXT: note: ntensor.linear "rec": sums in 0..6, i16
// CHECK-NEXT: note: ntensor.sum: sums in 0..46, i16
// CHECK-NEXT: note: ntensor.neuron "n": 0..3, !ntensor.count<13>
// CHECK-NEXT: note: ntensor.linear "last": sums in 0..150, i8
// SAME: ntensor.network @net
// SAME: ntensor.linear "last" %{{\S+}} {{.*}} -> tensor<1xi8>
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
ntensor.network @net("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi8>) attributes {tick_ns = 1000000} {
  %pool = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi8>
  %flat = ntensor.reshape "flat" %pool : tensor<1x1x1xi8> -> tensor<1xi8>
  %fc = ntensor.linear "fc" %flat {weight = #nopt.array<[[10]] : tensor<1x1xi8>>} : tensor<1xi8> -> tensor<1xi8>
  %late = ntensor.delay "late" %z {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x!ntensor.count<13>>
  %rec = ntensor.linear "rec" %late {weight = #nopt.array<[[2]] : tensor<1x1xi8>>} : tensor<1x!ntensor.count<13>> -> tensor<1xi16>
  %sum = ntensor.sum %fc, %rec : (tensor<1xi8>, tensor<1xi16>) -> tensor<1xi16>
  %z = ntensor.neuron "n" @half(%sum) {params = {th = #nopt.array<20 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}} : (tensor<1xi16>) -> tensor<1x!ntensor.count<13>>
  %out = ntensor.linear "last" %z {weight = #nopt.array<[[50]] : tensor<1x1xi8>>} : tensor<1x!ntensor.count<13>> -> tensor<1xi8>
  ntensor.output %out : tensor<1xi8>
}

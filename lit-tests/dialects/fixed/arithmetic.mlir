// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// The type of a result is the interval of the result: for -5..9 and 1..3 these are -4..12, -8..8 and -15..27.
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: !fixed.int<-5, 9>, %b: !fixed.int<1, 3>) {
  // CHECK-NEXT: fixed.constant -7 : !fixed.int<-7, -7>
  %c = fixed.constant -7 : !fixed.int<-7, -7>
  // CHECK-NEXT: fixed.add %{{.*}}, %{{.*}} : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-4, 12>
  %add = fixed.add %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-4, 12>
  // CHECK-NEXT: fixed.sub {{.*}} -> !fixed.int<-8, 8>
  %sub = fixed.sub %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-8, 8>
  // CHECK-NEXT: fixed.mul {{.*}} -> !fixed.int<-15, 27>
  %mul = fixed.mul %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-15, 27>
  // CHECK-NEXT: fixed.neg {{.*}} -> !fixed.int<-9, 5>
  %neg = fixed.neg %a : !fixed.int<-5, 9> -> !fixed.int<-9, 5>
  // CHECK-NEXT: fixed.abs {{.*}} -> !fixed.int<0, 9>
  %abs = fixed.abs %a : !fixed.int<-5, 9> -> !fixed.int<0, 9>
  // CHECK-NEXT: fixed.sign {{.*}} -> !fixed.int<-1, 1>
  %sign = fixed.sign %a : !fixed.int<-5, 9> -> !fixed.int<-1, 1>
  // CHECK-NEXT: fixed.min {{.*}} -> !fixed.int<-5, 3>
  %min = fixed.min %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-5, 3>
  // CHECK-NEXT: fixed.max {{.*}} -> !fixed.int<1, 9>
  %max = fixed.max %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<1, 9>
  return
}

// A right shift rounds down: -5 >> 1 is -3. A quotient declares its rounding: -5 / 3 is -2 with floor, -1 with truncate.
// CHECK-LABEL: func.func @shifts_and_quotients
func.func @shifts_and_quotients(%a: !fixed.int<-5, 9>, %b: !fixed.int<1, 3>, %c: !fixed.int<3, 3>) {
  // CHECK-NEXT: fixed.shl {{.*}} -> !fixed.int<-40, 72>
  %shl = fixed.shl %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-40, 72>
  // CHECK-NEXT: fixed.shr {{.*}} -> !fixed.int<-3, 4>
  %shr = fixed.shr %a, %b : !fixed.int<-5, 9>, !fixed.int<1, 3> -> !fixed.int<-3, 4>
  // CHECK-NEXT: fixed.div floor {{.*}} -> !fixed.int<-2, 3>
  %floor = fixed.div floor %a, %c : !fixed.int<-5, 9>, !fixed.int<3, 3> -> !fixed.int<-2, 3>
  // CHECK-NEXT: fixed.div ceil {{.*}} -> !fixed.int<-1, 3>
  %ceil = fixed.div ceil %a, %c : !fixed.int<-5, 9>, !fixed.int<3, 3> -> !fixed.int<-1, 3>
  // CHECK-NEXT: fixed.div truncate {{.*}} -> !fixed.int<-1, 3>
  %truncate = fixed.div truncate %a, %c : !fixed.int<-5, 9>, !fixed.int<3, 3> -> !fixed.int<-1, 3>
  // CHECK-NEXT: fixed.div round {{.*}} -> !fixed.int<-2, 3>
  %round = fixed.div round %a, %c : !fixed.int<-5, 9>, !fixed.int<3, 3> -> !fixed.int<-2, 3>
  return
}

// The four ways to change an interval; `from_real` rounds and saturates.
// CHECK-LABEL: func.func @widths
func.func @widths(%a: !fixed.int<-300, 300>, %x: f32, %z: i1) {
  // CHECK-NEXT: fixed.saturate {{.*}} -> !fixed.int<-128, 127>
  %saturate = fixed.saturate %a : !fixed.int<-300, 300> -> !fixed.int<-128, 127>
  // CHECK-NEXT: fixed.wrap {{.*}} -> !fixed.int<-128, 127>
  %wrap = fixed.wrap %a : !fixed.int<-300, 300> -> !fixed.int<-128, 127>
  // CHECK-NEXT: fixed.refine {{.*}} -> !fixed.int<1, 300>
  %refine = fixed.refine %a : !fixed.int<-300, 300> -> !fixed.int<1, 300>
  // CHECK-NEXT: fixed.widen {{.*}} -> !fixed.int<-512, 511>
  %widen = fixed.widen %a : !fixed.int<-300, 300> -> !fixed.int<-512, 511>
  // CHECK-NEXT: fixed.select {{.*}} -> !fixed.int<-128, 300>
  %select = fixed.select %z, %wrap, %refine : !fixed.int<-128, 127>, !fixed.int<1, 300> -> !fixed.int<-128, 300>
  // CHECK-NEXT: fixed.cmp le %{{.*}}, %{{.*}} : !fixed.int<-300, 300>, !fixed.int<-128, 127>
  %cmp = fixed.cmp le %a, %wrap : !fixed.int<-300, 300>, !fixed.int<-128, 127>
  // CHECK-NEXT: fixed.from_real floor %{{.*}} : f32 -> !fixed.int<0, 31>
  %from = fixed.from_real floor %x : f32 -> !fixed.int<0, 31>
  // CHECK-NEXT: fixed.to_real %{{.*}} : !fixed.int<0, 31> -> f32
  %to = fixed.to_real %from : !fixed.int<0, 31> -> f32
  return
}

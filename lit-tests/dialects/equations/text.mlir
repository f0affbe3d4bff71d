// RUN: nopt %S/inputs/lif.neuron -t neuron | filecheck %s
// RUN: nopt %S/inputs/lif.neuron | nopt - -t neuron | filecheck %s
// RUN: nopt %S/inputs/chips.neuron -t neuron -o %t.1 && nopt %t.1 -t neuron | filecheck %s --check-prefix=CHIPS
// RUN: nopt %S/inputs/halves.neuron -t neuron | filecheck %s --check-prefix=HALVES
// RUN: nopt %S/inputs/halves.neuron | nopt - -t neuron | filecheck %s --check-prefix=HALVES
// RUN: nopt %s -t neuron | filecheck %s --check-prefix=FOREIGN

// Roundings to 16 bits are functions; states and emitted values stay reals of the network.
// HALVES:      state v = bf16(0), w = f16(0.1)
// HALVES-NEXT: input x
// HALVES-NEXT: v = v + bf16(k * (x - v))
// HALVES-NEXT: w = w * 0.5
// HALVES-NEXT: w = f16(w)
// HALVES-NEXT: y = v + w
// HALVES-NEXT: v = bf16(v)
// HALVES-NEXT: emit value f16(y)

// The text of a built update has no folded or dropped parts; each line is at the latest possible position.
// CHECK:      neuron lif_value
// CHECK-NEXT: param tau, r, v_leak, v_threshold, v_reset
// CHECK-NEXT: param k = dt / tau
// CHECK-NEXT: canonical decay = 1 - k
// CHECK-NEXT: canonical threshold = v_threshold
// CHECK-NEXT: state v = v_leak, c: u2 = 0
// CHECK-NEXT: input x
// CHECK-NEXT: record before = v
// CHECK-NEXT: v = v + k * (v_leak - v + r * x) if c == 0 else v
// CHECK-NEXT: z = v > v_threshold
// CHECK-NEXT: v = v_reset if z else v
// CHECK-NEXT: c = 3 if z else c - 1 if c > 0 else 0
// CHECK-NEXT: emit spike z
// CHECK:      neuron integers
// CHECK-NEXT: param th: u7 in 1..100
// CHECK-NEXT: state v: s8 saturate = 0
// CHECK-NEXT: input a: s6 wrap
// CHECK-NEXT: v = v + (a << 1)
// CHECK-NEXT: n: u2 saturate = floor(v / th)
// CHECK-NEXT: v = v - n * th
// CHECK-NEXT: emit count n
// CHECK:      neuron events
// CHECK-NEXT: state i: s8 saturate = 0, c: u4 wrap = 0, v: s10 saturate = 0
// CHECK-NEXT: input x: s8, a: s6 saturate each into i, b: s4 each into i, n: u4 each into c
// CHECK-NEXT: v = v + i + c + x
// CHECK-NEXT: z = v > 200
// CHECK-NEXT: record i = i
// CHECK-NEXT: i = i - (i >> 2)
// CHECK-NEXT: emit spike z

// CHIPS: w = truncate(i * (4095 - du) / 4096) + (a << 6)
// CHIPS: timer = t_ref if n > 0 else max(0, timer - step)
// CHIPS: q = not q and (e or x > sign(x) * k)

// An update that was not built from equations: values without a name are written at their uses, and a state whose final value has no
// name is assigned at the end.
// FOREIGN:      neuron foreign
// FOREIGN-NEXT: param th
// FOREIGN-NEXT: state v = 0
// FOREIGN-NEXT: input x
// FOREIGN-NEXT: emit spike min(v + x, 2) > th
// FOREIGN-NEXT: v = min(v + x, 2)
ntensor.update @foreign <spike> inputs ["x"] states ["v"] params ["th"] raw ["th"] derive {
^bb0(%dt: f64, %th: f64):
  ntensor.derived %th : f64
} initial {
^bb0(%th: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64, %th: f64):
  %0 = arith.addf %v, %x : f64
  %two = arith.constant 2.0 : f64
  %1 = arith.minimumf %0, %two : f64
  %z = arith.cmpf ogt, %1, %th : f64
  ntensor.emit %z, %1 : i1, f64
}

// A delay that is part of a population lost its tick, so records of the population differed from machine.latency by one tick.
// RUN: nopt %s -p ntensor-retime | filecheck %s

// The record is still one tick later than the population; the output, which read it, has no delay.
// CHECK:      ntensor.network @n({{.*}}attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:   [[A:%\S+]] = ntensor.delay "in.wait1" %x {ticks = #nopt.array<1 : tensor<i64>>}
// CHECK-NEXT:   [[B:%\S+]] = ntensor.neuron "a" @same([[A]]) {machine.latency = 1 : i64, params
// CHECK-NEXT:   ntensor.delay "a.delay" [[B]] {machine.latency = 1 : i64, ticks = #nopt.array<1 : tensor<i64>>, part_of = "a"}
// CHECK-NEXT:   [[C:%\S+]] = ntensor.delay "a.delay.wait" [[B]] {ticks = #nopt.array<0 : tensor<i64>>}
// CHECK-NEXT:   ntensor.output [[C]]
ntensor.update @same <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}
ntensor.network @n("in" %x: tensor<2xf64>) -> ("out": tensor<2xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "a" @same(%x) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xf64>
  %d = ntensor.delay "a.delay" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "a"} : tensor<2xf64>
  ntensor.output %d : tensor<2xf64>
}

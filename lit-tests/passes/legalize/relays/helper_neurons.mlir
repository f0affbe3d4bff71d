// RUN: nopt %S/../inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh" set="core.fan_in=4"}' | filecheck %s --check-prefix=SUMS
// RUN: nopt %s -p 'ntensor-retime,ntensor-map-relays{device="asic/mesh"}' | filecheck %s --check-prefix=CLOCK

// A partial sum is a neuron of the chip that emits its input, with the width of the sum.
// SUMS:      ntensor.update @mesh_sum.sums[[BITS:[0-9]+]] <graded>
// SUMS-NOT:  relay_graded
// SUMS:      ntensor.neuron "{{[a-c]}}.part0" @mesh_sum.sums[[BITS]](

// The bias comes from a neuron of the chip that receives one weight in each tick and keeps no state (di = dv = 4096): it fires in each.
// CLOCK:      [[A:%\S+]] = ntensor.sparse_linear "clock.start" %x {weight = #nopt.array<"0x" : tensor<0xi8>>, {{.*}}bias = #nopt.array<[1] : tensor<1xi8>>} : tensor<2xi1> -> tensor<1xi2>
// CLOCK-NEXT: ntensor.neuron "clock" @mesh_cuba.value([[A]]) {machine.added, params = {di = #nopt.array<4096 : tensor<i64>>, dv = #nopt.array<4096 : tensor<i64>>, vth = #nopt.array<0 : tensor<i64>>, bias = #nopt.array<0 : tensor<i64>>}
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.cmp gt %x, %0 : !fixed.int<-32768, 32767>, !fixed.int<0, 0>
  ntensor.emit %1 : i1
}
ntensor.network @biased("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %h = ntensor.linear "fc1" %x {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %a = ntensor.neuron "a" @over(%h) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  %i = ntensor.linear "fc2" %a {weight = #nopt.array<[[1, 0], [0, 1]] : tensor<2x2xi8>>, bias = #nopt.array<[1, -1] : tensor<2xi8>>} : tensor<2xi1> -> tensor<2xi16>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}

// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p print-resource-needs -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %root/lit-tests/passes/plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%root/lit-tests/passes/plan/inputs/small.json" set="core.neurons=4"},print-resource-needs' -o /dev/null 2>&1 | filecheck %s --check-prefix=PLAN
// RUN: nopt %s -p print-resource-needs -o /dev/null 2>&1 | filecheck %s --check-prefix=SINGLE
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16},ntensor-round-reals{of=states},print-resource-needs' -o /dev/null 2>&1 | filecheck %s --check-prefix=HALF

// Reals of 16 bits count as 16 bits: two neurons with one state each have 4 bytes instead of 8.
// SINGLE: note: "lif": {{.*}} weight_bits 32, state_bits 32, {{.*}} neuron_bytes 8
// HALF: note: "lif": {{.*}} weight_bits 16, state_bits 16, {{.*}} neuron_bytes 4

// Weights up to 3 have 3 signed bits. A neuron of "hid" has a state of 16 bits and a parameter of 4 bits: 6 x 20 bits are 15 bytes. The
// parameter of "last" is the same for both neurons: 2 x 16 bits are 4 bytes. Without a device the memory of synapses is not specified.
// CHECK: remark[MAP022]: resource needs of @net
// CHECK-NEXT: at: ntensor.network @net
// CHECK-NEXT: note: "hid": neurons 6, synapses 24, fan_in 4, input_axons 4, weight_bits 3, state_bits 16, payload_bits 0, delay 0, neuron_bytes 15, fan_out 1, output_axons 6
// CHECK-NEXT: note: "last": neurons 2, synapses 12, fan_in 6, input_axons 6, weight_bits 3, state_bits 16, payload_bits 0, delay 3, neuron_bytes 4, fan_out 0, output_axons 0

// The device stores a weight in a byte, and counts the 3 values of the shared parameter. 3 x 20 bits are 8 bytes, rounded up.
// PLAN: note: "hid" slice 0: neurons 3, synapses 12, fan_in 4, input_axons 4, weight_bits 3, state_bits 16, payload_bits 0, delay 0, neuron_bytes 8, synapse_bytes 12, classes.gains 3, fan_out 1, output_axons 3
// PLAN-NEXT: note: "hid" slice 1:
// PLAN-NEXT: note: "last": neurons 2, {{.*}} synapse_bytes 12, classes.gains 1, fan_out 0, output_axons 0
ntensor.update @sum.f32 <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32):
  %0 = arith.addf %v, %x : f32
  ntensor.emit %0, %0 : f32, f32
}
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %s = ntensor.linear "fc" %x {weight = #nopt.array<[[0.1, 0.2], [0.3, 0.4]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @sum.f32(%s) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

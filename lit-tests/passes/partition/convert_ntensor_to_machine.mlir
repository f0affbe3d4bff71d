// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=4"},convert-ntensor-to-machine' | filecheck %s
// RUN: nopt %S/../plan/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=4"},convert-ntensor-to-machine' | nopt - | filecheck %s
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=1,topology.cores=16,topology.mesh.width=4,topology.mesh.height=4"},convert-ntensor-to-machine' | filecheck %s --check-prefix=WIDE
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=6"},convert-ntensor-to-machine' | filecheck %s --check-prefix=LISTS
// RUN: nopt %S/../plan/inputs/wide.mlir -p 'ntensor-plan-cores{device="%S/../plan/inputs/small.json" set="core.neurons=6"},convert-ntensor-to-machine{multicast=vertex}' | filecheck %s --check-prefix=WHOLE

// The network and its plan, part by part. 4 inputs to 6 neurons in two slices: 3 x 4 synapses each; then 3 x 2 from each slice to the last
// population, three ticks later. No activity is known, so each neuron counts as active once per tick.
// CHECK-LABEL: machine.graph @net attributes {machine.device = #nopt.device<"{{.*}}small.json", digest = d{{[0-9a-f]+}}>, tick_ns = 1000 : i64, stage = #machine.stage<partitioned>} {
// CHECK-NEXT:    machine.input "in" : tensor<4xi1>
// CHECK-NEXT:    machine.projection "fc" from "in" {
// CHECK-NEXT:    ^bb0(%{{\S+}}: tensor<4xi1>):
// CHECK-NEXT:      %a = ntensor.linear "fc"
// CHECK-NEXT:      machine.yield %a : tensor<6xi16>
// CHECK-NEXT:    }
// CHECK-NEXT:    machine.population "hid" @lif adds
// CHECK-SAME:    (tensor<6xi16>) -> tensor<6xi1>
// CHECK-NEXT:    machine.projection "fc2" from "hid" {
// CHECK-NEXT:    ^bb0(%{{\S+}}: tensor<6xi1>):
// CHECK-NEXT:      %d = ntensor.delay "axon"
// CHECK-NEXT:      %b = ntensor.linear "fc2" %d
// CHECK-NEXT:      machine.yield %b : tensor<2xi16>
// CHECK-NEXT:    }
// CHECK-NEXT:    machine.population "last" @lif adds
// CHECK-NEXT:    machine.output "out" of "last" : tensor<2xi1>
// CHECK-NEXT:    machine.vertex "in/0" of "in" {box = #nopt.array<{{\[\[}}0, 4]] : tensor<1x2xi64>>}
// CHECK-NEXT:    machine.vertex "hid/0" of "hid" {box = #nopt.array<{{\[\[}}0, 3]] : tensor<1x2xi64>>, needs = {neurons = 3 : i64, synapses = 12 : i64, fan_in = 4 : i64, input_axons = 4 : i64, weight_bits = 3 : i64, state_bits = 16 : i64, payload_bits = 0 : i64, delay = 0 : i64, neuron_bytes = 8 : i64, synapse_bytes = 12 : i64, classes.gains = 3 : i64, fan_out = 1 : i64, output_axons = 3 : i64}}
// CHECK-NEXT:    machine.vertex "hid/1" of "hid"
// CHECK-NEXT:    machine.vertex "last/0" of "last" {box = {{.*}}, needs = {neurons = 2 : i64, synapses = 12 : i64, fan_in = 6 : i64, input_axons = 6 : i64, {{.*}}, delay = 3 : i64, {{.*}}, fan_out = 0 : i64, output_axons = 0 : i64}}
// CHECK-NEXT:    machine.edge "fc" : "in/0" -> "hid/0" {synapses = 12 : i64, axons = 4 : i64, activity = 4.000000e+00 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
// CHECK-NEXT:    machine.edge "fc" : "in/0" -> "hid/1"
// CHECK-NEXT:    machine.edge "fc2" : "hid/0" -> "last/0" {synapses = 6 : i64, axons = 3 : i64, activity = 3.000000e+00 : f64, delays = #nopt.array<[3, 3] : tensor<2xi64>>}
// CHECK-NEXT:    machine.edge "fc2" : "hid/1" -> "last/0"
// CHECK-NEXT:  }

// A slice for each neuron: neurons 3 to 6 of "hid" reach both of "last", the others one, and weights of 0 are not synapses. `ntensor.observed`
// specifies that a neuron is active in every fourth tick.
// WIDE:     machine.vertex "hid/0" {{.*}} fan_out = 1 : i64, output_axons = 1 : i64}
// WIDE:     machine.vertex "hid/3" {{.*}} fan_out = 2 : i64, output_axons = 2 : i64}
// WIDE-NOT: machine.edge "fc2" : "hid/2" -> "last/1"
// WIDE:     machine.edge "fc2" : "hid/3" -> "last/1" {synapses = 1 : i64, axons = 1 : i64, activity = 2.500000e-01 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}

// An edge lists the neurons that it needs, if not all; or slices send to all targets.
// LISTS: machine.edge "fc2" : "hid/0" -> "last/0" {synapses = 3 : i64, axons = 3 : i64, activity = 7.500000e-01 : f64
// WHOLE: machine.edge "fc2" : "hid/0" -> "last/0" {synapses = 3 : i64, axons = 3 : i64, activity = 7.500000e-01 : f64

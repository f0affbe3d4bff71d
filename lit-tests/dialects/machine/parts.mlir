// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s

// A projection is a chain of any length: here a pool and the convolution after it. An output may have a delay or another shape. A
// population keeps its other attributes.
// CHECK-LABEL: machine.graph @parts
// CHECK-NEXT:    machine.input "in put" : tensor<1x4x4xi1>
// CHECK-NEXT:    machine.projection "conv" from "in put" {
// CHECK-NEXT:    ^bb0(%{{\S+}}: tensor<1x4x4xi1>):
// CHECK-NEXT:      ntensor.sum_pool2d "pool"
// CHECK-NEXT:      ntensor.conv2d "conv"
// CHECK-NEXT:      machine.yield %{{\S+}} : tensor<1x2x2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    machine.population "if1" @pass adds
// CHECK-SAME:    {mine.note = "kept", family = "if", params = {}, initial = {}} : (tensor<1x2x2xf32>) -> tensor<1x2x2xi1>
// CHECK-NEXT:    machine.output "output" of "if1" : tensor<4xi1> {
// CHECK-NEXT:    ^bb0(%{{\S+}}: tensor<1x2x2xi1>):
// CHECK-NEXT:      ntensor.delay "late"
// CHECK-NEXT:      ntensor.reshape "flat"
// CHECK-NEXT:      machine.yield %{{\S+}} : tensor<4xi1>
// CHECK-NEXT:    }
// CHECK-NEXT:    machine.output "echo" of "in put" : tensor<1x4x4xi1>
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
machine.graph @parts attributes {tick_ns = 1000 : i64, stage = #machine.stage<partitioned>} {
  machine.input "in put" : tensor<1x4x4xi1>
  machine.projection "conv" from "in put" {
  ^bb0(%x: tensor<1x4x4xi1>):
    %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xf32>
    %y = ntensor.conv2d "conv" %p {weight = #nopt.array<[[[[2.0]]]] : tensor<1x1x1x1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
    machine.yield %y : tensor<1x2x2xf32>
  }
  machine.population "if1" @pass adds [["conv"]] {family = "if", params = {}, initial = {}, mine.note = "kept"} : (tensor<1x2x2xf32>) -> tensor<1x2x2xi1>
  machine.output "output" of "if1" : tensor<4xi1> {
  ^bb0(%z: tensor<1x2x2xi1>):
    %d = ntensor.delay "late" %z {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xi1>
    %f = ntensor.reshape "flat" %d : tensor<1x2x2xi1> -> tensor<4xi1>
    machine.yield %f : tensor<4xi1>
  }
  machine.output "echo" of "in put" : tensor<1x4x4xi1>
  machine.vertex "in put/0" of "in put" {box = #nopt.array<[[0, 1], [0, 4], [0, 4]] : tensor<3x2xi64>>}
  machine.vertex "if1/0" of "if1" {box = #nopt.array<[[0, 1], [0, 2], [0, 2]] : tensor<3x2xi64>>}
  machine.edge "conv" : "in put/0" -> "if1/0" {synapses = 16 : i64, axons = 16 : i64, activity = 16.0 : f64, delays = #nopt.array<[0, 0] : tensor<2xi64>>}
}

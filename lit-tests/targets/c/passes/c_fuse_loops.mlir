// RUN: nopt %s -p 'convert-ntensor-to-c,c-fuse-loops' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,c-fuse-loops{fusion=false}' | filecheck %s --check-prefix=OFF

// Bias, neuron and output become one loop, which resets its sums to zero; the result of the bias and the spikes have no other reader.
// CHECK:       [[SUMS:%[0-9]+]] = c.buffer "fc_sums" #c<kind scratch> {zeroed} : memref<2xf32>
// CHECK:       c.tick {
// CHECK-NEXT:    c.rows "fc"
// CHECK-NEXT:    c.loop "lif"([[SUMS]], {{[^)]*}}) -> ({{%[0-9]+, %[0-9]+}}) {clears = array<i64: 0>}
// CHECK:           c.yield
// CHECK-NEXT:    }
// CHECK-NEXT:  }

// OFF:         c.clear
// OFF-NEXT:    c.rows "fc"
// OFF-NEXT:    c.loop "fc_affine"
// OFF:         c.loop "lif"
// OFF:         c.loop "output"
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// Two loops of three operands each: a profile with four registers, whose states have to fit, keeps them apart.
// CHECK-LABEL: c.program @few_registers
// CHECK:         c.loop "a"
// CHECK:         c.loop "b"
// CHECK-LABEL: c.program @many_registers
// CHECK-NOT:     c.loop "a"
// CHECK:         c.loop "b"
c.program @few_registers attributes {prefix = "net", tick_ns = 1000 : i64, preferences = {most_operands = 4 : i64}} {
  %x = c.buffer "x" #c<kind input> : memref<4xf32>
  %v = c.buffer "v" #c<kind state> : memref<4xf32>
  %h = c.buffer "h" #c<kind scratch> : memref<4xf32>
  %y = c.buffer "y" #c<kind output> : memref<4xf32>
  c.tick {
    c.loop "a"(%x, %v) -> (%h) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      c.yield %s : f32
    }
    c.loop "b"(%h, %v) -> (%y) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      c.yield %s : f32
    }
  }
}
c.program @many_registers attributes {prefix = "net", tick_ns = 1000 : i64, preferences = {most_operands = 0 : i64}} {
  %x = c.buffer "x" #c<kind input> : memref<4xf32>
  %v = c.buffer "v" #c<kind state> : memref<4xf32>
  %h = c.buffer "h" #c<kind scratch> : memref<4xf32>
  %y = c.buffer "y" #c<kind output> : memref<4xf32>
  c.tick {
    c.loop "a"(%x, %v) -> (%h) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      c.yield %s : f32
    }
    c.loop "b"(%h, %v) -> (%y) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      c.yield %s : f32
    }
  }
}

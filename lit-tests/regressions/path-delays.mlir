// Two delays of a path, each within the limit of the device and together beyond it: the pass that the device names clamps each of them, which is of
// no use. The help separates them by a relay.

// RUN: exits 1 nopt compile %s --target asic/multi --dt 1ms --like norse --reset value -p 'ntensor-quantize-inputs{kind=spike}' -o %t.build 2>&1 | filecheck %s
// RUN: nopt compile %s --target asic/multi --dt 1ms --like norse --reset value -p 'ntensor-quantize-inputs{kind=spike},ntensor-relay-delays{max-delay=63}' -o %t.build
// CHECK: error[LEG001]: the fallback of asic/multi for delay repairs nothing
// CHECK:   found: 80 ticks after ntensor-clamp-delays{max-delay=63}
// CHECK:   help: nopt compile {{.*}}path-delays.mlir --target asic/multi --dt 1ms --like norse --reset value -p 'ntensor-quantize-inputs{kind=spike},ntensor-relay-delays{max-delay=63}' -o {{.*}}.build
nir.graph @late("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[1.0, 0.5], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %s = nir.sum %a, %l : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<constant(value = 0.02) : tensor<2xf32>>, r = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_leak = #nopt.array<constant(value = 0.0) : tensor<2xf32>>, v_threshold = #nopt.array<constant(value = 1.0) : tensor<2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %d = nir.delay "before" %z {delay = #nopt.array<constant(value = 0.04) : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %r = nir.linear "rec" %d {weight = #nopt.array<[[0.0, 0.5], [0.5, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %l = nir.delay "after" %r {delay = #nopt.array<constant(value = 0.04) : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xi1>
}

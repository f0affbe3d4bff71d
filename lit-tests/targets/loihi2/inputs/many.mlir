// More synapses than SANA-FE reads in a reasonable time.
nir.graph @many("input" %x: tensor<1000xf32>) -> ("output": tensor<1001xi1>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<constant(value = 0.5) : tensor<1001x1000xf32>>} : tensor<1000xf32> -> tensor<1001xf32>
  %y = nir.if "hidden" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1001xf32> -> tensor<1001xi1>
  nir.output %y : tensor<1001xi1>
}

nir.graph @layers("input" %x: tensor<12xf32>) -> ("output": tensor<4xi1>) {
  %y1 = nir.linear "fc1" %x {weight = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 1) : tensor<8x12xf32>>} : tensor<12xf32> -> tensor<8xf32>
  %z1 = nir.lif "lif1" %y1 {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<8xf32> -> tensor<8xi1>
  %y2 = nir.linear "fc2" %z1 {weight = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 2) : tensor<6x8xf32>>} : tensor<8xi1> -> tensor<6xf32>
  %z2 = nir.lif "lif2" %y2 {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<6xf32> -> tensor<6xi1>
  %y3 = nir.linear "fc3" %z2 {weight = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 3) : tensor<4x6xf32>>} : tensor<6xi1> -> tensor<4xf32>
  %z3 = nir.lif "lif3" %y3 {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<4xf32> -> tensor<4xi1>
  nir.output %z3 : tensor<4xi1>
}

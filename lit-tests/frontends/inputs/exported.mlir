builtin.module {
  nir.graph @exported("input" %input: tensor<2xf32>) -> ("output": tensor<2xi1>) attributes {version = "0.2.0", metadata = {author = "J\C3\BCrgen", tags = ["a", "b"]}, terminal_metadata = {input = {unit = "mV"}}} {
    %block.sum = nir.sum %input, %w.rec : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %block = nir.subgraph "block" (%block.sum) ("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {metadata = {note = "nested"}} {
      %if = nir.if "if" %in {r = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, v_threshold = #nopt.array<[-0.0, 5.0e-324] : tensor<2xf64>>, v_reset = #nopt.array<[0, -7] : tensor<2xi8>>, metadata = {loss = #nopt.array<0.5 : tensor<f16>>}} : tensor<2xf32> -> tensor<2xi1>
      nir.output %if : tensor<2xi1>
    }
    %w.rec = nir.linear "w.rec" %block {weight = #nopt.array<[[0.0, 1.0], [1.0e-45, -0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
    nir.output %block : tensor<2xi1>
  }
}

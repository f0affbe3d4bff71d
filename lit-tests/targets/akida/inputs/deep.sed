# Adds a third dense layer to dense.mlir.
s/ntensor.output %b : tensor<2xi32>/%z = ntensor.neuron "n2" @akida.four(%b) {family = "activation", params = {threshold_potential = #nopt.array<0 : tensor<i32>>, act_step = #nopt.array<16 : tensor<i32>>}, initial = {}} : (tensor<2xi32>) -> tensor<2x!ntensor.count<4>>\
    %c = ntensor.linear "fc3" %z {weight = #nopt.array<[[1, -2], [3, 1]] : tensor<2x2xi8>>} : tensor<2x!ntensor.count<4>> -> tensor<2xi32>\
    ntensor.output %c : tensor<2xi32>/

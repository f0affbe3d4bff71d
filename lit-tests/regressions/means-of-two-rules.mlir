// Two populations with different rules, which are converted one after the other, read one mean. The conversion of the first was refused (LEG031).

// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=6 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron" nodes=a},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron" nodes=b}' | filecheck %s
// CHECK-DAG: %[[OWN:[0-9a-z_.]+]] = ntensor.sum_pool2d "pool.copy" %{{.*}} -> tensor<1x1x2xi8>
// CHECK-DAG: %[[FLAT:[0-9a-z_.]+]] = ntensor.reshape "flat.copy" %[[OWN]] : tensor<1x1x2xi8> -> tensor<2xi8>
// CHECK-DAG: ntensor.linear "one" %[[FLAT]]
// CHECK-DAG: %[[LEFT:[0-9a-z_.]+]] = ntensor.sum_pool2d "pool" %{{.*}} -> tensor<1x1x2xi8>
// CHECK-DAG: %[[REST:[0-9a-z_.]+]] = ntensor.reshape "flat" %[[LEFT]] : tensor<1x1x2xi8> -> tensor<2xi8>
// CHECK-DAG: ntensor.linear "two" %[[REST]]

nir.graph @means("in" %x: tensor<1x2x4xi1>) -> ("first": tensor<2xi1>, "second": tensor<2xi1>) {
  %p = nir.avg_pool2d "pool" %x {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x2xf32> -> tensor<2xf32>
  %a = nir.linear "one" %f {weight = #nopt.array<[[3.0, -1.0], [1.0, 2.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y = nir.lif "a" %a {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "two" %f {weight = #nopt.array<[[1.0, -1.0], [1.0, 4.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "b" %b {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y, %z : tensor<2xi1>, tensor<2xi1>
}

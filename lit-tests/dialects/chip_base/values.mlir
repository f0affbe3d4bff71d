// The ends of the types that the update declares: du has 12 bits, vth 17, and bias 13 with a sign.
// RUN: mutate 's/du = #nopt.array<\[4095\]/du = #nopt.array<[0]/' 's/\[25, 30\]/[0, 131071]/' 's/bias = #nopt.array<0 /bias = #nopt.array<-4096 /' 's/bias = #nopt.array<5 /bias = #nopt.array<4095 /' %S/../loihi2/inputs/loihi2.mlir | nopt - | filecheck %s
// CHECK:     profiles = {du = #nopt.array<[0] : tensor<1xi64>>}, thresholds = {vth = #nopt.array<[0, 131071] : tensor<2xi64>>}
// CHECK:     registers = {bias = #nopt.array<-4096 : tensor<i64>>}
// CHECK:     registers = {bias = #nopt.array<4095 : tensor<i64>>}

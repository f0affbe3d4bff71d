// Bit 6 + p of a route is processor p; processors start at 1, so 128 is core 0 of the chip and 256 is core 1.
// RUN: nopt %S/inputs/spinnaker.mlir | filecheck %s
// CHECK: spinnaker.router 0 {key = #nopt.array<[0, 4] : tensor<2xi64>>, mask = #nopt.array<[4294967292, 4294967294] : tensor<2xi64>>, route = #nopt.array<[128, 256] : tensor<2xi64>>}

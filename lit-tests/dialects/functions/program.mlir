// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s

// The contract is in the attributes of the arguments and results of run.
// CHECK:      functions.program @net attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:   func.func private @tick(
// CHECK:        func.func @run(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %{{.*}}: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values =
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

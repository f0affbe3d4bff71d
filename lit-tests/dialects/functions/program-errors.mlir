// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// An argument of run has a name and a role.
// CHECK:      error[FUN001]: argument 0 of @run is not a tensor with a name and a role
// CHECK:        expected: nopt.name, and nopt.role of input, constant, state
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x"}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// A role of results is not one of arguments.
// CHECK:      error[FUN001]: argument 1 of @run is not a tensor with a name and a role
// CHECK:        expected: nopt.name, and nopt.role of input, constant, state
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "probe"}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// A result, too.
// CHECK:      error[FUN001]: result 0 of @run is not a tensor with a name and a role
// CHECK:        expected: nopt.name, and nopt.role of output, probe, state
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>}) -> (tensor<4x1x2xi8> {nopt.role = "output"}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// A constant has its array.
// CHECK:      error[FUN001]: "w" has an array that does not fit it
// CHECK:        found: none
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant"}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// The array has the shape of the argument.
// CHECK:      error[FUN001]: "w" has an array that does not fit it
// CHECK:        found: shape (3,), role constant
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.spikes}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// An input has none.
// CHECK:      error[FUN001]: "x" has an array that does not fit it
// CHECK:        found: shape (), role input
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>, %w: tensor<2xf32>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
  func.func @run(%start: i64, %ticks: i64, %xs: tensor<4x1x2xi8> {nopt.name = "x", nopt.role = "input", nopt.values = #nopt.array<0 : tensor<i8>>}, %w: tensor<2xf32> {nopt.name = "w", nopt.role = "constant", nopt.values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>}) -> (tensor<4x1x2xi8> {nopt.name = "y", nopt.role = "output", nopt.spikes}) {
    func.return %xs : tensor<4x1x2xi8>
  }
}

// -----

// Both functions are there.
// CHECK:      error[FUN001]: a program has other functions
// CHECK:        found: tick
functions.program @net attributes {tick_ns = 1000 : i64} {
  func.func private @tick(%tick: index, %x: tensor<1x2xi8>) -> tensor<1x2xi8> {
    func.return %x : tensor<1x2xi8>
  }
}

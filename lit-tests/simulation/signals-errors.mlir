// RUN: python %S/inputs/events.py %t.npz '{"tick": [0, 1], "index": [1], "shape": [2], "ticks": 3}'
// RUN: not nopt run %s --input %t.npz 2>&1 | filecheck %s --check-prefix=LENGTH
// RUN: python %S/inputs/events.py %t.npz '{"tick": [0, 3], "index": [1, 1], "shape": [2], "ticks": 3}'
// RUN: not nopt run %s --input %t.npz 2>&1 | filecheck %s --check-prefix=OUTSIDE
// RUN: python %S/inputs/text.py | filecheck %s --check-prefix=TEXT

// Every event has a tick and an index.
// LENGTH: error[SIM027]: the array index does not fit the other arrays of its events
// LENGTH: expected: integers of one axis, as many as there are ticks
// LENGTH-NEXT: found: int64 of shape (1,); tick has shape (2,)

// Ticks count from 0.
// OUTSIDE: error[SIM028]: the tick of an event lies outside of the signal
// OUTSIDE: expected: 0 to 2
// OUTSIDE-NEXT: found: 3 at event 1

// A signal from Python must contain numbers.
// TEXT: error[SIM029]: an array cannot be used as a signal

ntensor.network @wire("x" %x: tensor<2xf32>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000000} {
  ntensor.output %x : tensor<2xf32>
}

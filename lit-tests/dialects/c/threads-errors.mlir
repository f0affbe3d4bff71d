// RUN: not nopt %s 2>&1 | filecheck %s

// Threads wait for each other within a tick.
// CHECK:      error[COR025]: 'c.barrier' expects parent op 'c.tick'
c.program @outside attributes {prefix = "net", tick_ns = 1000 : i64} {
  c.barrier
  c.tick {
    c.barrier
  }
}

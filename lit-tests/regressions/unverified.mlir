// A pass that fails on an unverified invalid module has no defect.

// RUN: exits 1 nopt %s -p c-choose-events --disable-verify 2>&1 | filecheck %s
// CHECK: error[CSR013]: a program does not end in its only tick
// CHECK:   note: c-choose-events ran without verification, and failed: AssertionError

c.program @net attributes {prefix = "net", tick_ns = 1000000 : i64} {
  %0 = c.buffer "in" #c<kind input> {node = "in"} : memref<2xf64>
}

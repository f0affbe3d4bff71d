// RUN: exits 1 nopt %s -p ntensor-map-relays 2>&1 | filecheck %s

// The device must be specified.
// CHECK: error[DEV023]: no device is specified
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  ntensor.output %x : tensor<2xi1>
}

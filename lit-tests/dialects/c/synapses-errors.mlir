// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The list has room for four events, and there are six neurons.
// CHECK:      error[CSR013]: a list of events does not match its buffer
// CHECK:        expected: 6 places
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.events %x -> %list, %count : memref<6xui8> -> memref<2x2xui16>, memref<2xui32>
  }
}

// -----

// The table has two outputs, and there are three neurons.
// CHECK:      error[CSR013]: a table does not match its inputs and outputs
// CHECK:        found: 6 to 3
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.rows "fc" %x, %w into %s {finite} : memref<6xui8>, memref<1x6x2xf32> into memref<3xf32>
  }
}

// -----

// The table has the size of a larger kernel.
// CHECK:      error[CSR013]: a table does not match its window
// CHECK:        expected: 8 weights
// CHECK-NEXT:   found: 3
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.window "conv" %m, %few into %n {finite, kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, before = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : memref<2x3x3xf32>, memref<3xf32> into memref<1x3x3xf32>
  }
}

// -----

// There are three weights for two synapses and six neurons.
// CHECK:      error[CSR013]: weights do not match their synapses
// CHECK:        expected: 1 or 2
// CHECK-NEXT:   found: 3
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.compressed "sparse" %x, %few by %start, %target into %s {finite} : memref<6xui8>, memref<3xf32> by memref<3xui8>, memref<2xui8> into memref<3xf32>
  }
}

// -----

// The starts are those of two neurons, and there are six.
// CHECK:      error[CSR013]: starts do not match their sources
// CHECK:        expected: 7
// CHECK-NEXT:   found: 3
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.compressed "sparse" %x, %few by %start, %target into %s {finite} : memref<6xui8>, memref<1xf32> by memref<3xui8>, memref<2xui8> into memref<3xf32>
  }
}

// -----

// A pool must keep the number of channels.
// CHECK:      error[CSR013]: a pool changes the number of channels
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %list = c.buffer "list" #c<kind scratch> : memref<2x2xui16>
  %count = c.buffer "count" #c<kind scratch> : memref<2xui32>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 1, 2] : tensor<3xui8>>} : memref<3xui8>
  %target = c.buffer "target" #c<kind constant> {values = #nopt.array<[0, 1] : tensor<2xui8>>} : memref<2xui8>
  %s = c.buffer "s" #c<kind scratch> : memref<3xf32>
  %m = c.buffer "m" #c<kind scratch> : memref<2x3x3xf32>
  %n = c.buffer "n" #c<kind scratch> : memref<1x3x3xf32>
  c.tick {
    c.pool "pool" %m -> %n {kernel = #nopt.array<[1, 1] : tensor<2xi64>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, before = #nopt.array<[0, 0] : tensor<2xi64>>} : memref<2x3x3xf32> -> memref<1x3x3xf32>
  }
}

// -----

// A max pool keeps the type.
// CHECK:      error[CSR013]: a max pool changes the type
// CHECK:        expected: the same type on both sides
// CHECK-NEXT:   found: ui8 and si16
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<1x2x2xui8>
  %n = c.buffer "n" #c<kind scratch> : memref<1x1x1xsi16>
  c.tick {
    c.pool "pool" %x -> %n {greatest, kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, before = #nopt.array<[0, 0] : tensor<2xi64>>} : memref<1x2x2xui8> -> memref<1x1x1xsi16>
  }
}

// -----

// Three scales for two neurons.
// CHECK:      error[CSR013]: a scale does not match its targets
// CHECK:        expected: 1 or 2 reals
// CHECK-NEXT:   found: 3
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<1x6x2xi8>>} : memref<1x6x2xi8>
  %scale = c.buffer "scale" #c<kind constant> {values = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>} : memref<3xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.rows "fc" %x, %w into %s scale %scale {finite} : memref<6xui8>, memref<1x6x2xi8> into memref<2xf32> scale memref<3xf32>
  }
}

// -----

// The table holds reals already.
// CHECK:      error[CSR013]: a scale has no integers to multiply
// CHECK:        expected: a scale, integers and sums of reals
// CHECK-NEXT:   found: f32, f32, f32
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1.0) : tensor<1x6x2xf32>>} : memref<1x6x2xf32>
  %scale = c.buffer "scale" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.rows "fc" %x, %w into %s scale %scale {finite} : memref<6xui8>, memref<1x6x2xf32> into memref<2xf32> scale memref<1xf32>
  }
}

// -----

// One scale for both neurons, and three zero points.
// CHECK:      error[CSR013]: a zero point does not match its targets
// CHECK:        expected: 1 or 2 integers
// CHECK-NEXT:   found: memref<3xsi8>
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<1x6x2xi8>>} : memref<1x6x2xsi8>
  %scale = c.buffer "scale" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %zero = c.buffer "zero" #c<kind constant> {values = #nopt.array<[1, 2, 3] : tensor<3xi8>>} : memref<3xsi8>
  %s = c.buffer "s" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.rows "fc" %x, %w into %s scale %scale zero %zero {finite} : memref<6xui8>, memref<1x6x2xsi8> into memref<2xf32> scale memref<1xf32> zero memref<3xsi8>
  }
}

// -----

// CHECK:      error[CSR013]: a zero point has no scale
// CHECK:        expected: a scale
// CHECK-NEXT:   found: none
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<6xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<1x6x2xi8>>} : memref<1x6x2xsi8>
  %zero = c.buffer "zero" #c<kind constant> {values = #nopt.array<[1] : tensor<1xi8>>} : memref<1xsi8>
  %s = c.buffer "s" #c<kind scratch> : memref<2xf32>
  c.tick {
    c.rows "fc" %x, %w into %s zero %zero {finite} : memref<6xui8>, memref<1x6x2xsi8> into memref<2xf32> zero memref<1xsi8>
  }
}

// -----

// Words of a bitmap have 32 bits.
// CHECK:      error[CSR013]: a bitmap does not match its targets
// CHECK:        expected: rows of 2 words of 32 bits
// CHECK-NEXT:   found: memref<2x2xui8>
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<2xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<2xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[0, 2] : tensor<2xui8>>} : memref<2xui8>
  %bits = c.buffer "bits" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui32>>} : memref<2x2xui32>
  %more = c.buffer "more" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<3x2xui32>>} : memref<3x2xui32>
  %bytes = c.buffer "bytes" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui8>>} : memref<2x2xui8>
  %one = c.buffer "one" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<40xf32>
  c.tick {
    c.bitmap "b" %x, %w by %start, %bytes into %s {finite} : memref<2xui8>, memref<2xf32> by memref<3xui8>, memref<2x2xui8> into memref<40xf32>
  }
}

// -----

// There are two weights for three rows.
// CHECK:      error[CSR013]: weights do not match the rows of a bitmap
// CHECK:        expected: 1 or 3
// CHECK-NEXT:   found: 2
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<2xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<2xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[0, 2] : tensor<2xui8>>} : memref<2xui8>
  %bits = c.buffer "bits" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui32>>} : memref<2x2xui32>
  %more = c.buffer "more" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<3x2xui32>>} : memref<3x2xui32>
  %bytes = c.buffer "bytes" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui8>>} : memref<2x2xui8>
  %one = c.buffer "one" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<40xf32>
  c.tick {
    c.bitmap "b" %x, %w by %start, %more into %s {finite} : memref<2xui8>, memref<2xf32> by memref<3xui8>, memref<3x2xui32> into memref<40xf32>
  }
}

// -----

// The starts are those of one source, and there are two.
// CHECK:      error[CSR013]: starts do not match their sources
// CHECK:        expected: 3
// CHECK-NEXT:   found: 2
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<2xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<2xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[0, 2] : tensor<2xui8>>} : memref<2xui8>
  %bits = c.buffer "bits" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui32>>} : memref<2x2xui32>
  %more = c.buffer "more" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<3x2xui32>>} : memref<3x2xui32>
  %bytes = c.buffer "bytes" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui8>>} : memref<2x2xui8>
  %one = c.buffer "one" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<40xf32>
  c.tick {
    c.bitmap "b" %x, %w by %few, %bits into %s {finite} : memref<2xui8>, memref<2xf32> by memref<2xui8>, memref<2x2xui32> into memref<40xf32>
  }
}

// -----

// A bitmap has no scales.
// CHECK:      error[CSR013]: a bitmap only adds weights
// CHECK:        expected: no shift, scale, zero point or region
// CHECK-NEXT:   found: one of them
c.program @net attributes {prefix = "net", tick_ns = 1000 : i64} {
  %x = c.buffer "x" #c<kind input> : memref<2xui8>
  %w = c.buffer "w" #c<kind constant> {values = #nopt.array<[1.0, 2.0] : tensor<2xf32>>} : memref<2xf32>
  %start = c.buffer "start" #c<kind constant> {values = #nopt.array<[0, 2, 3] : tensor<3xui8>>} : memref<3xui8>
  %few = c.buffer "few" #c<kind constant> {values = #nopt.array<[0, 2] : tensor<2xui8>>} : memref<2xui8>
  %bits = c.buffer "bits" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui32>>} : memref<2x2xui32>
  %more = c.buffer "more" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<3x2xui32>>} : memref<3x2xui32>
  %bytes = c.buffer "bytes" #c<kind constant> {values = #nopt.array<constant(value = 1) : tensor<2x2xui8>>} : memref<2x2xui8>
  %one = c.buffer "one" #c<kind constant> {values = #nopt.array<[1.0] : tensor<1xf32>>} : memref<1xf32>
  %s = c.buffer "s" #c<kind scratch> : memref<40xf32>
  c.tick {
    c.bitmap "b" %x, %w by %start, %bits into %s scale %one {finite} : memref<2xui8>, memref<2xf32> by memref<3xui8>, memref<2x2xui32> into memref<40xf32> scale memref<1xf32>
  }
}

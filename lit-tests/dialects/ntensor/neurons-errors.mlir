// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The step must take every declared state.
// CHECK:      error[NTE007]: region initial does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 1 arguments, and ntensor.initial with 2 operands
// CHECK-NEXT:   found: 1 arguments, and ntensor.initial with 1
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v", "w"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// A region must have its own terminator.
// CHECK:      error[NTE007]: region initial does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 1 arguments, and ntensor.initial with 1 operands
// CHECK-NEXT:   found: 1 arguments, and another terminator
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.derived %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// `derive` must compute every canonical parameter.
// CHECK:      error[NTE007]: region derive does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 arguments, and ntensor.derived with 2 operands
// CHECK-NEXT:   found: 2 arguments, and ntensor.derived with 1
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] canonical ["decay"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// The step must compute every record.
// CHECK:      error[NTE007]: region step does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 3 arguments, and ntensor.emit with 3 operands
// CHECK-NEXT:   found: 3 arguments, and ntensor.emit with 2
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] records ["v"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// An input and a parameter must not have the same name.
// CHECK:      error[NTE007]: two inputs, states or parameters have the same name
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 3 different names
// CHECK-NEXT:   found: k, v, k
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["k"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// A raw parameter must be listed only once.
// CHECK:      error[NTE007]: two raw parameters have the same name
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 different names
// CHECK-NEXT:   found: k, k
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k", "k"] derive {
^bb0(%dt: f64, %k: f64, %l: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// Two canonical parameters must not have the same name.
// CHECK:      error[NTE007]: two canonical parameters have the same name
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 different names
// CHECK-NEXT:   found: decay, decay
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] canonical ["decay", "decay"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k, %k, %k : f64, f64, f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// Two records must not have the same name.
// CHECK:      error[NTE007]: two records have the same name
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 different names
// CHECK-NEXT:   found: v, v
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] records ["v", "v"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v, %x, %x : i1, f32, f32, f32
}

// -----

// Parameters must be derived in f64.
// CHECK:      error[NTE007]: a value of region derive is not f64
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f64
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f32):
  ntensor.derived %k : f32
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// An update must compute on scalars.
// CHECK:      error[NTE007]: an argument of the update is not a number
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f32, f64, i1 or !fixed.int
// CHECK-NEXT:   found: tensor<2xf32>
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: tensor<2xf32>, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %v, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// A parameter must have one type in `initial` and `step`.
// CHECK:      error[NTE007]: the type of parameter k of region initial differs from its type in the step
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f32
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f64):
  %v = arith.truncf %k : f64 to f32
  ntensor.initial %v : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// The step must keep the type of a state.
// CHECK:      error[NTE007]: the type of the next value of state v differs from its type in the step
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f32
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  %w = arith.extf %v : f32 to f64
  ntensor.emit %z, %w : i1, f64
}

// -----

// The initial value must have the type of its state.
// CHECK:      error[NTE007]: the type of the initial value of state v differs from its type in the step
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f32
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  %v = arith.extf %k : f32 to f64
  ntensor.initial %v : f64
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// A spike must be a boolean.
// CHECK:      error[NTE007]: the output of the step is not of kind spike
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: i1
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  ntensor.emit %x, %v : f32, f32
}

// -----

// A count must not be negative.
// CHECK:      error[NTE007]: the output of the step is not of kind count
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: !fixed.int<0, N> with N below 2^63
// CHECK-NEXT:   found: !fixed.int<-1, -1>
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <count> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %n = fixed.constant -1 : !fixed.int<-1, -1>
  ntensor.emit %n, %v : !fixed.int<-1, -1>, f32
}

// -----

// A payload must be an integer.
// CHECK:      error[NTE007]: the output of the step is not of kind graded
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: !fixed.int within 63 signed bits
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <graded> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  ntensor.emit %x, %v : f32, f32
}

// -----

// A value must not be a boolean.
// CHECK:      error[NTE007]: the output of the step is not of kind value
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: f32, f64 or !fixed.int
// CHECK-NEXT:   found: i1
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <value> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// The kind of emission must be known.
// CHECK:      error[COR024]: Expected `spike`, `count`, `graded`, or `value`.
// CHECK-NEXT:   at: ntensor.update @u <burst> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
// CHECK-NEXT:                        ^
ntensor.update @u <burst> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}

// -----

// The terminators of an update must be in an update.
// CHECK:      error[COR025]: 'ntensor.emit' expects parent op 'ntensor.update'
// CHECK-NEXT:   at: ntensor.emit
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  ntensor.emit %x : tensor<2xf32>
}

// -----

// The update of a neuron must be in the module.
// CHECK:      error[NTE005]: the update is not in the module
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: an ntensor.update of this module
// CHECK-NEXT:   found: @nobody
// CHECK-NEXT:   help: define ntensor.update @nobody in the module of the network
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @nobody(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An operand must have the shape of the population.
// CHECK:      error[NTE002]: an operand has the wrong shape
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of an operand to (2,)
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<3xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<3xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// A parameter must have the shape of the population, or no axes.
// CHECK:      error[NTE002]: k has the wrong shape
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: () or (2,)
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of k to (2,)
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<[1.0, 2.0, 3.0] : tensor<3xf32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An entry of the parameters must be an array.
// CHECK:      error[NTE005]: entry k is not an array
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: #nopt.array
// CHECK-NEXT:   found: 1.000000e+00 : f32
// CHECK-NEXT:   help: write it as #nopt.array<VALUES : TYPE>
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = 1.0 : f32}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Parameters must have the names of the update.
// CHECK:      error[NTE005]: the parameters of the neuron differ from those of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: k
// CHECK-NEXT:   found: tau
// CHECK-NEXT:   help: list exactly the parameters that @u declares
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {tau = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Every state must have an initial value.
// CHECK:      error[NTE005]: the states of the neuron differ from those of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: v
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: list exactly the states that @u declares
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Canonical parameters must be those that the update derives.
// CHECK:      error[NTE005]: the canonical parameters of the neuron differ from those of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: none
// CHECK-NEXT:   found: decay
// CHECK-NEXT:   help: list exactly the canonical parameters that @u declares
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {canonical = {decay = #nopt.array<0.5 : tensor<f64>>}, params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// Each input must have one operand.
// CHECK:      error[NTE005]: the number of operands differs from the number of inputs of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: 1: x
// CHECK-NEXT:   found: 2
// CHECK-NEXT:   help: list one operand for each input
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x, %x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An operand of f64 does not fit an input of f32.
// CHECK:      error[NTE003]: the operand does not fit input x of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that f32 holds
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: convert the network with one precision
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf64>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// f32 must represent the parameter exactly.
// CHECK:      error[NTE003]: k would change when it is converted to f32
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that f32 holds
// CHECK-NEXT:   found: numbers of f64
// CHECK-NEXT:   help: convert k to numbers of f32 first
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<0.1 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An initial state must be in the interval of its type.
// CHECK:      error[NTE003]: v would change when it is converted to !fixed.int<0, 9>
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that !fixed.int<0, 9> holds
// CHECK-NEXT:   found: 10
// CHECK-NEXT:   help: convert v to numbers of !fixed.int<0, 9> first
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  %v = fixed.constant 0 : !fixed.int<0, 0>
  %w = fixed.widen %v : !fixed.int<0, 0> -> !fixed.int<0, 9>
  ntensor.initial %w : !fixed.int<0, 9>
} step {
^bb0(%x: f32, %v: !fixed.int<0, 9>, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, !fixed.int<0, 9>
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<10 : tensor<i64>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// The type of the result must be that of the update's output.
// CHECK:      error[NTE003]: the result type differs from the output of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: i1
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: declare the result as a tensor of i1
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

// -----

// An integer input must not have a real operand.
// CHECK:      error[NTE003]: the operand does not fit input x of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that !fixed.int<0, 9> holds
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: convert the network with one precision
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: !fixed.int<0, 9>, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %v, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// The input must hold every integer of its operand, unless it wraps or saturates: 0..1023 is s11.
// CHECK:      error[NTE003]: the operand does not fit input x of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that !fixed.int<0, 9> holds
// CHECK-NEXT:   found: !ntensor.count<10>
// CHECK-NEXT:   help: input x: s11 in the neuron, or a narrower type that wraps or saturates
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: !fixed.int<0, 9>, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %v, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2x!ntensor.count<10>>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2x!ntensor.count<10>>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An input of booleans must not have values as operand.
// CHECK:      error[NTE003]: the operand does not fit input x of @u
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: numbers that i1 holds
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: convert the network with one precision
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: i1, %v: f32, %k: f32):
  ntensor.emit %x, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An error of an update is reported once, not at its uses.
// CHECK:      error[NTE007]: region derive does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 arguments, and ntensor.derived with 2 operands
// CHECK-NEXT:   found: 2 arguments, and ntensor.derived with 1
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k", "l"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k : f32
} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// A region must not be empty.
// CHECK:      error[COR025]: Region 'initial' at position 1 expected a single block, but got 0 blocks
// CHECK-NEXT:   at: ntensor.update @u
ntensor.update @u <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {

} step {
^bb0(%x: f32, %v: f32, %k: f32):
  %z = arith.cmpf ogt, %x, %k : f32
  ntensor.emit %z, %v : i1, f32
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "pop" @u(%x) {params = {k = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// An input that accumulates must refer to a state of the neuron.
// CHECK:      error[NTE007]: input a accumulates into an unknown state
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: one of i
// CHECK-NEXT:   found: v
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a"] into ["v"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  ntensor.accumulated %i : !fixed.int<-8, 7>
}

// -----

// Each input that accumulates must have its own region.
// CHECK:      error[NTE007]: the numbers of accumulating inputs, their states and their regions differ
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: equal numbers
// CHECK-NEXT:   found: 2 inputs, 2 states, 1 regions
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a", "b"] into ["i", "i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  ntensor.accumulated %i : !fixed.int<-8, 7>
}

// -----

// Only integers can be accumulated event by event.
// CHECK:      error[NTE007]: input a accumulates numbers that are not integers
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: !fixed.int
// CHECK-NEXT:   found: f32
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> states ["i"] initial {
  %1 = arith.constant 0.0 : f32
  ntensor.initial %1 : f32
} step {
^bb0(%i: f32):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, f32
} each ["a"] into ["i"] accumulate {
^bb0(%a: f32, %i: f32):
  ntensor.accumulated %i : f32
}

// -----

// A region of `accumulate` must take the term and the state.
// CHECK:      error[NTE007]: region accumulate of a does not match the names that the update declares
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: 2 arguments, and ntensor.accumulated with 1 operands
// CHECK-NEXT:   found: 1 arguments, and ntensor.accumulated with 1
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>):
  ntensor.accumulated %a : !fixed.int<-8, 7>
}

// -----

// A region of `accumulate` must keep the type of the state.
// CHECK:      error[NTE007]: the type of the state after a term of a differs from its type in the step
// CHECK-NEXT:   at: ntensor.update @u
// CHECK-NEXT:   expected: !fixed.int<-8, 7>
// CHECK-NEXT:   found: !fixed.int<-8, 9>
// CHECK-NEXT:   help: build the update from the neuron language, which keeps it consistent
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 9>, %i: !fixed.int<-8, 7>):
  ntensor.accumulated %a : !fixed.int<-8, 9>
}

// -----

// The operand of an input that accumulates must be terms, because a sum has lost their order.
// CHECK:      error[NTE003]: input a of @u accumulates terms, and the operand is not terms within its type
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: !ntensor.terms within !fixed.int<-8, 7>
// CHECK-NEXT:   found: i4
// CHECK-NEXT:   help: declare the result of its synapses as !ntensor.terms<N>
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  ntensor.accumulated %i : !fixed.int<-8, 7>
}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %t = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2xi4>
  %y = ntensor.neuron "pop" @u(%t) {params = {}, initial = {i = #nopt.array<0 : tensor<i8>>}} : (tensor<2xi4>) -> tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// Terms must not be wider than the input.
// CHECK:      error[NTE003]: input a of @u accumulates terms, and the operand is not terms within its type
// CHECK-NEXT:   at: ntensor.neuron "pop"
// CHECK-NEXT:   expected: !ntensor.terms within !fixed.int<-8, 7>
// CHECK-NEXT:   found: !ntensor.terms<5>
// CHECK-NEXT:   help: declare the result of its synapses as !ntensor.terms<N>
ntensor.update @u <spike> states ["i"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-8, 7>
  ntensor.initial %1 : !fixed.int<-8, 7>
} step {
^bb0(%i: !fixed.int<-8, 7>):
  %z = arith.constant true
  ntensor.emit %z, %i : i1, !fixed.int<-8, 7>
} each ["a"] into ["i"] accumulate {
^bb0(%a: !fixed.int<-8, 7>, %i: !fixed.int<-8, 7>):
  ntensor.accumulated %i : !fixed.int<-8, 7>
}
ntensor.network @n("x" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %t = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<2xi1> -> tensor<2x!ntensor.terms<5>>
  %y = ntensor.neuron "pop" @u(%t) {params = {}, initial = {i = #nopt.array<0 : tensor<i8>>}} : (tensor<2x!ntensor.terms<5>>) -> tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// A state that is rounded to bf16 starts at a number of bf16: the nearest one to 0.1 is 0.100097656.
// CHECK:      error[NTE003]: v would change when it is converted to bf16
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: numbers that bf16 holds
// CHECK-NEXT:   found: numbers of f32
ntensor.update @u <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.1 : f32
  %1 = ntensor.round_real bf16 %0 : f32
  ntensor.initial %1 : f32
} step {
^bb0(%x: f32, %v: f32):
  %0 = arith.addf %v, %x : f32
  %1 = ntensor.round_real bf16 %0 : f32
  ntensor.emit %1, %1 : f32, f32
}
ntensor.network @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @u(%x) {params = {}, initial = {v = #nopt.array<0.1 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %z : tensor<2xf32>
}

// -----

// The result of a rounding has the type of its operand.
// CHECK: error[COR024]: {{.*}}
ntensor.update @u <value> inputs ["x"] step {
^bb0(%x: f32):
  %1 = ntensor.round_real f32 %x : f32
  ntensor.emit %1 : f32
}

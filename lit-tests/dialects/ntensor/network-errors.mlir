// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A loop without a delay is refused; the message lists one cycle of it.
// CHECK:      error[NTE001]: a loop has no delay
// CHECK-NEXT:   at: ntensor.scale "a"
// CHECK-NEXT:   expected: an ntensor.delay of at least one tick in every loop
// CHECK-NEXT:   found: ntensor.scale "a" -> ntensor.scale "b" -> ntensor.sum -> ntensor.scale "a"
// CHECK-NEXT:   help: put an ntensor.delay of one tick on an edge of the loop
ntensor.network @loop("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %s = ntensor.sum %x, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = ntensor.scale "a" %s {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.scale "b" %b {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %d : tensor<2xf32>
}

// -----

// Of two loops without a delay, one is the message and the other a note.
// CHECK:      error[NTE001]: a loop has no delay
// CHECK-NEXT:   at: ntensor.scale "itself"
// CHECK-NEXT:   expected: an ntensor.delay of at least one tick in every loop
// CHECK-NEXT:   found: ntensor.scale "itself" -> ntensor.scale "itself"
// CHECK-NEXT:   help: put an ntensor.delay of one tick on an edge of the loop
// CHECK-NEXT:   note: another loop without a delay: ntensor.scale "back" -> ntensor.scale "there" -> ntensor.scale "back"
ntensor.network @loops("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.scale "itself" %a {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.scale "there" %c {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = ntensor.scale "back" %b {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %x : tensor<2xf32>
}

// -----

// A delay of zero ticks for one neuron does not break a loop.
// CHECK:      error[NTE001]: a loop has no delay
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: an ntensor.delay of at least one tick in every loop
// CHECK-NEXT:   found: ntensor.delay "d" -> ntensor.sum -> ntensor.delay "d"
// CHECK-NEXT:   help: put an ntensor.delay of one tick on an edge of the loop
ntensor.network @half("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %s = ntensor.sum %x, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = ntensor.delay "d" %s {ticks = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<2xf32>
  ntensor.output %s : tensor<2xf32>
}

// -----

// The length of a tick must be positive.
// CHECK:      error[NTE006]: the length of a tick is not positive
// CHECK-NEXT:   at: ntensor.network @still
// CHECK-NEXT:   expected: tick_ns of 1 or more
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: tick_ns = 1000000 is one millisecond
ntensor.network @still("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 0 : i64} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// A frame has at least one tick of the input.
// CHECK:      error[NTE006]: the ticks of a frame are not a positive integer
// CHECK-NEXT:   at: ntensor.network @empty
// CHECK-NEXT:   expected: 1 or more
// CHECK-NEXT:   found: 0 : i64
// CHECK-NEXT:   help: ntensor.frame_ticks = 16 : i64
ntensor.network @empty("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.frame_ticks = 0 : i64} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// The ticks of a frame are the first axis of each input, or their sum.
// CHECK:      error[NTE006]: input x has not the ticks of a frame as its first axis
// CHECK-NEXT:   at: ntensor.network @stacked
// CHECK-NEXT:   expected: a first axis of 3
// CHECK-NEXT:   found: [2]
// CHECK-NEXT:   help: remove ntensor.stacked_ticks, or correct ntensor.frame_ticks
ntensor.network @stacked("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.frame_ticks = 3 : i64, ntensor.stacked_ticks} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// The padding of an input has two numbers for each axis, and leaves some data.
// CHECK:      error[NTE006]: the padding of an input does not fit it
// CHECK-NEXT:   at: ntensor.network @full
// CHECK-NEXT:   expected: integers from 0, before and after each axis of an input, that leave some data
// CHECK-NEXT:   found: x: {{\[\[}}1, 1]]
// CHECK-NEXT:   help: remove ntensor.input_padding, or correct it
ntensor.network @full("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.input_padding = {x = #nopt.array<[[1, 1]] : tensor<1x2xi64>>}} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// CHECK:      error[NTE006]: the padding of an input does not fit it
// CHECK:        found: 3 : i64
ntensor.network @number("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.input_padding = 3 : i64} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// The length of a tick must be specified.
// CHECK:      error[COR024]: expected `attributes {tick_ns = N}`, the length of a tick in nanoseconds
// CHECK-NEXT:   at: ntensor.network @timeless("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
// CHECK-NEXT:                                                                                ^
ntensor.network @timeless("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  ntensor.output %x : tensor<2xf32>
}

// -----

// The output types must be those of the signature.
// CHECK:      error[NTE002]: the output types of the region differ from the signature
// CHECK-NEXT:   at: ntensor.network @other
// CHECK-NEXT:   expected: tensor<3xf32>
// CHECK-NEXT:   found: tensor<2xf32>
// CHECK-NEXT:   help: correct the signature, or the operands of ntensor.output
ntensor.network @other("x" %x: tensor<2xf32>) -> ("out": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// A network must end in ntensor.output.
// CHECK:      error[NTE002]: the network has no outputs
// CHECK-NEXT:   at: ntensor.network @mute
// CHECK-NEXT:   expected: ntensor.output as its last op
// CHECK-NEXT:   found: ntensor.sum
// CHECK-NEXT:   help: end the network with ntensor.output and its output values
// CHECK:      error[COR025]: Operation ntensor.sum terminates block in single-block region but is not a terminator
// CHECK-NEXT:   at: ntensor.sum
ntensor.network @mute("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.sum %x : (tensor<2xf32>) -> tensor<2xf32>
}

// -----

// The names and the region must match the signature; only the generic form can differ.
// CHECK:      error[NTE002]: the signature of the network has different numbers of input names and input types
// CHECK-NEXT:   at: ntensor.network @names
// CHECK-NEXT:   expected: 1 names
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: name every input and output once
"ntensor.network"() <{sym_name = "names", function_type = (tensor<2xf32>) -> tensor<2xf32>, input_names = [], output_names = ["out"], tick_ns = 1000 : i64}> ({
^bb0(%x: tensor<2xf32>):
  "ntensor.output"(%x) : (tensor<2xf32>) -> ()
}) : () -> ()

// -----

// CHECK:      error[NTE002]: the input types of the region differ from the signature
// CHECK-NEXT:   at: ntensor.network @region
// CHECK-NEXT:   expected: tensor<3xf32>
// CHECK-NEXT:   found: tensor<2xf32>
// CHECK-NEXT:   help: correct the signature, or the operands of ntensor.output
"ntensor.network"() <{sym_name = "region", function_type = (tensor<3xf32>) -> tensor<2xf32>, input_names = ["x"], output_names = ["out"], tick_ns = 1000 : i64}> ({
^bb0(%x: tensor<2xf32>):
  "ntensor.output"(%x) : (tensor<2xf32>) -> ()
}) : () -> ()

// -----

// Two nodes must not have the same name.
// CHECK:      error[NTE004]: two nodes have the same name
// CHECK-NEXT:   at: ntensor.reshape "lif 1"
// CHECK-NEXT:   expected: each name once, inputs and outputs among them
// CHECK-NEXT:   found: "lif 1" twice
// CHECK-NEXT:   help: rename one of the two
ntensor.network @twins("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.reshape "lif 1" %x : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.reshape "lif 1" %a : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %b : tensor<2xf32>
}

// -----

// A node must not have the name of an input or output, nor an output that of an input.
// CHECK:      error[NTE004]: two nodes have the same name
// CHECK-NEXT:   at: ntensor.network @terminals
// CHECK-NEXT:   expected: each name once, inputs and outputs among them
// CHECK-NEXT:   found: "x" twice
// CHECK-NEXT:   help: rename one of the two
ntensor.network @terminals("x" %x: tensor<2xf32>) -> ("x": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// CHECK:      error[NTE004]: two nodes have the same name
// CHECK-NEXT:   at: ntensor.reshape "out"
// CHECK-NEXT:   expected: each name once, inputs and outputs among them
// CHECK-NEXT:   found: "out" twice
// CHECK-NEXT:   help: rename one of the two
ntensor.network @called("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.reshape "out" %x : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %a : tensor<2xf32>
}

// -----

// A delay must only be part of the node that it reads.
// CHECK:      error[NTE004]: a delay is part of a node other than the one that it reads
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: "a"
// CHECK-NEXT:   found: "b", another node
// CHECK-NEXT:   help: correct part_of, or remove it
ntensor.network @part("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.reshape "a" %x : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.delay "d" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "b"} : tensor<2xf32>
  ntensor.output %d : tensor<2xf32>
}

// -----

// A delay must not be part of an input, because an input is not a node.
// CHECK:      error[NTE004]: a delay is part of a node other than the one that it reads
// CHECK-NEXT:   at: ntensor.delay "d"
// CHECK-NEXT:   expected: no part_of: the delay does not read a node
// CHECK-NEXT:   found: "x", another node
// CHECK-NEXT:   help: correct part_of, or remove it
ntensor.network @input("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %d = ntensor.delay "d" %x {ticks = #nopt.array<1 : tensor<i64>>, part_of = "x"} : tensor<2xf32>
  ntensor.output %d : tensor<2xf32>
}

// -----

// A node must not have two delays.
// CHECK:      error[NTE004]: a delay is part of a node other than the one that it reads
// CHECK-NEXT:   at: ntensor.delay "e"
// CHECK-NEXT:   expected: "a"
// CHECK-NEXT:   found: "a", which already has a delay
// CHECK-NEXT:   help: correct part_of, or remove it
ntensor.network @both("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.reshape "a" %x : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.delay "d" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "a"} : tensor<2xf32>
  %e = ntensor.delay "e" %a {ticks = #nopt.array<1 : tensor<i64>>, part_of = "a"} : tensor<2xf32>
  ntensor.output %e : tensor<2xf32>
}

// -----

// A misspelt parameter of the network is refused.
// CHECK:      error[COR009]: ntensor.network has no property 'approximation'
// CHECK-NEXT:   at: ntensor.network @misspelt
// CHECK-NEXT:   expected: one of approximations, function_type, input_names, output_names, sym_name, tick_ns, or a name with a dot
// CHECK-NEXT:   found: approximation
// CHECK-NEXT:   help: correct the spelling, or put a dot into the name of an annotation of your own
ntensor.network @misspelt("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, approximation = []} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// A record must have all fields.
// CHECK:      error[COR024]: Expected ',' in an approximation: step, what, [touched], largest, mean, unit
// CHECK-NEXT:   at: …pproximation<"step", "what", ["a"], none>]} {
// CHECK-NEXT:                                              ^
ntensor.network @short("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, approximations = [#ntensor.approximation<"step", "what", ["a"], none>]} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// An error in a record must be a number.
// CHECK:      error[COR024]: expected an error as a number of f64, or none
// CHECK-NEXT:   at: …roximation<"step", "what", ["a"], none, "large", "1">]} {
// CHECK-NEXT:                                              ^
ntensor.network @text("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, approximations = [#ntensor.approximation<"step", "what", ["a"], none, "large", "1">]} {
  ntensor.output %x : tensor<2xf32>
}

// -----

// ntensor.output must be in a network.
// CHECK:      error[COR025]: 'ntensor.output' expects parent op to be one of 'ntensor.network', 'ntensor.readout'
// CHECK-NEXT:   at: ntensor.output
ntensor.output

// -----

// The output of a network must be signals, not terms.
// CHECK:      error[NTE003]: output "y" is not a signal
// CHECK-NEXT:   at: ntensor.network @n
// CHECK-NEXT:   expected: i1, !ntensor.count, !ntensor.graded, f32, f64 or iN
// CHECK-NEXT:   found: !ntensor.terms<8>
// CHECK-NEXT:   help: for spikes i1, for values f32 or f64
ntensor.network @n("x" %x: tensor<1xi1>) -> ("y": tensor<1x!ntensor.terms<8>>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "s" %x {scale = #nopt.array<3 : tensor<i8>>} : tensor<1xi1> -> tensor<1x!ntensor.terms<8>>
  ntensor.output %y : tensor<1x!ntensor.terms<8>>
}

// -----

// Probes must be names of arrays.
// CHECK:      error[NTE006]: the probes are not names of arrays
// CHECK-NEXT:   at: ntensor.network @probed
// CHECK-NEXT:   expected: a list of texts
// CHECK-NEXT:   found: [1 : i64]
// CHECK-NEXT:   help: ntensor.probes = ["lif1", "lif1.v"]
ntensor.network @probed("x" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.probes = [1]} {
  ntensor.output %x : tensor<2xf32>
}

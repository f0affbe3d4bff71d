// The dense table of inputs/loihi2.mlir with a learning rule in place of RULE.
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>}/delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<RULE>}/' %S/inputs/loihi2.mlir > %t

// The text of an equation. A sign follows no *, and u has one digit: Lava reads 2 * -3 as two products, and u12 as u1 * 2.
// RUN: mutate 's/RULE/dw = "x1 * y0 * z"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=NAME
// RUN: mutate 's/RULE/dw = "2 x1 * y0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=STAR
// RUN: mutate 's/RULE/dd = "x0 * -3"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=MINUS
// RUN: mutate 's/RULE/dt = "u12 * x1"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=DIGITS
// RUN: mutate 's/RULE/dw = "x0 * 3^2"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=POWER
// RUN: mutate 's/RULE/dw = "x0 * 2^x1"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=EXP
// RUN: mutate 's/RULE/dw = "x0 *"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=END
// RUN: mutate 's/RULE/dw = ""/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: mutate 's/RULE/dw = "x0 * (x1 + 3"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=CLOSE
// NAME:      error[LOI010]: dw: a learning rule cannot be read
// NAME-NEXT:   at: loihi2.dense "fc1"
// NAME-NEXT:   expected: an operator, a number or a variable
// NAME-NEXT:   found: 'z' at column 11
// NAME-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
// STAR:      error[LOI010]: dw: a learning rule cannot be read
// STAR-NEXT:   at: loihi2.dense "fc1"
// STAR-NEXT:   expected: +, - or *
// STAR-NEXT:   found: 'x1 * y0' at column 3
// STAR-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
// MINUS:      error[LOI010]: dd: a learning rule cannot be read
// MINUS-NEXT:   at: loihi2.dense "fc1"
// MINUS-NEXT:   expected: a factor: a variable, a number, or a bracket
// MINUS-NEXT:   found: '-3' at column 6
// MINUS-NEXT:   help: write it as in "2^-7 * x1 * y0 - 2^-7 * y1 * x0"
// DIGITS:      error[LOI010]: dt: a learning rule cannot be read
// DIGITS-NEXT:   at: loihi2.dense "fc1"
// DIGITS-NEXT:   expected: +, - or *
// DIGITS-NEXT:   found: '2 * x1' at column 3
// POWER:      error[LOI010]: dw: a learning rule cannot be read
// POWER-NEXT:   at: loihi2.dense "fc1"
// POWER-NEXT:   expected: a power of 2
// POWER-NEXT:   found: '3^2' at column 6
// EXP:      error[LOI010]: dw: a learning rule cannot be read
// EXP-NEXT:   at: loihi2.dense "fc1"
// EXP-NEXT:   expected: an exponent
// END:      error[LOI010]: dw: a learning rule cannot be read
// END-NEXT:   at: loihi2.dense "fc1"
// END-NEXT:   expected: a factor: a variable, a number, or a bracket
// END-NEXT:   found: the end
// EMPTY:      error[LOI010]: dw: a learning rule cannot be read
// EMPTY-NEXT:   at: loihi2.dense "fc1"
// EMPTY-NEXT:   expected: a factor: a variable, a number, or a bracket
// EMPTY-NEXT:   found: the end
// CLOSE:      error[LOI010]: dw: a learning rule cannot be read
// CLOSE-NEXT:   at: loihi2.dense "fc1"
// CLOSE-NEXT:   expected: ')'

// A rule without an equation.
// RUN: mutate 's/RULE/x1_tau = 3/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=NOTHING
// NOTHING:      error[LOI011]: a learning rule changes nothing
// NOTHING-NEXT:   at: loihi2.dense "fc1"
// NOTHING-NEXT:   expected: at least one of dw, dd, dt
// NOTHING-NEXT:   found: none
// NOTHING-NEXT:   help: add dw = "2^-7 * x1 * y0 - 2^-7 * y1 * x0"

// Each product has a dependency, also the second one; one in brackets is none.
// RUN: mutate 's/RULE/dw = "x1 * y0 - 2^-7 * y1"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=DEPENDENCY
// RUN: mutate 's/RULE/dw = "x1 * (y0 + 1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=INSIDE
// DEPENDENCY:      error[LOI012]: dw: a product of a learning rule has no dependency
// DEPENDENCY-NEXT:   at: loihi2.dense "fc1"
// DEPENDENCY-NEXT:   expected: x0, y0 or one of u0 to u9 as a factor, outside of brackets
// DEPENDENCY-NEXT:   found: 2^-7 * y1
// DEPENDENCY-NEXT:   help: 2^-7 * y1 * x0, or 2^-7 * y1 * y0
// INSIDE:      error[LOI012]: dw: a product of a learning rule has no dependency
// INSIDE-NEXT:   at: loihi2.dense "fc1"
// INSIDE-NEXT:   expected: x0, y0 or one of u0 to u9 as a factor, outside of brackets
// INSIDE-NEXT:   found: x1 * (y0 + 1)

// Scaling constants just beyond: 9 and 8 * 2^8 have too large mantissas, 2^-8 and 2^9 other exponents. Lava halves no small mantissa: 2 * 2^-8 is refused, too.
// RUN: mutate 's/RULE/dw = "9 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=MANTISSA
// RUN: mutate 's/RULE/dw = "8 * 2^8 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=EIGHT
// RUN: mutate 's/RULE/dw = "2^-8 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: mutate 's/RULE/dw = "2^9 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: mutate 's/RULE/dw = "2 * 2^-8 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TWO
// MANTISSA:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// MANTISSA-NEXT:   at: loihi2.dense "fc1"
// MANTISSA-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// MANTISSA-NEXT:   found: 9 * 2^0 in 9 * x0
// MANTISSA-NEXT:   help: divide the impulse of a trace, and multiply the constant by the same number, or round it
// EIGHT:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// EIGHT-NEXT:   at: loihi2.dense "fc1"
// EIGHT-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// EIGHT-NEXT:   found: 8 * 2^8 in 8 * 2^8 * x0
// SMALL:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// SMALL-NEXT:   at: loihi2.dense "fc1"
// SMALL-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// SMALL-NEXT:   found: 1 * 2^-8 in 2^-8 * x0
// LARGE:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// LARGE-NEXT:   at: loihi2.dense "fc1"
// LARGE-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// LARGE-NEXT:   found: 1 * 2^9 in 2^9 * x0
// TWO:      error[LOI013]: dw: a scaling constant of a learning rule is out of range
// TWO-NEXT:   at: loihi2.dense "fc1"
// TWO-NEXT:   expected: a mantissa from -8 to 7 times 2^-7 to 2^8
// TWO-NEXT:   found: 2 * 2^-8 in 2 * 2^-8 * x0

// Factors. Lava ignores the minus of (-x1), y0 in (y0), the minus of sgn(-w), and u1 after x0.
// RUN: mutate 's/RULE/dw = "x0 * (x1 + 128)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=HIGH
// RUN: mutate 's/RULE/dw = "x0 * (y1 - 129)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=LOW
// RUN: mutate 's/RULE/dw = "x0 * (w + 3)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=ODD
// RUN: mutate 's/RULE/dw = "x0 * (t + 256)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TAG
// RUN: mutate 's/RULE/dw = "x0 * (x1 + 2^-1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=HALF
// RUN: mutate 's/RULE/dw = "x0 * (x1 - y1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: mutate 's/RULE/dw = "x0 * (1 + 2)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=NUMBERS
// RUN: mutate 's/RULE/dw = "x0 * sgn(x1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=SIGN
// RUN: mutate 's/RULE/dw = "x0 * sgn(-w)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: mutate 's/RULE/dw = "x0 * (-x1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=ALONE
// RUN: mutate 's/RULE/dw = "x0 * (y0)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=SPIKE
// RUN: mutate 's/RULE/dw = "x0 * u1 * x1"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=SECOND
// RUN: mutate 's/RULE/dw = "x0 * (u1 + 1)"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=BRACKET
// HIGH:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// HIGH-NEXT:   at: loihi2.dense "fc1"
// HIGH-NEXT:   expected: an integer from -128 to 127 added to x1
// HIGH-NEXT:   found: (x1 + 128)
// HIGH-NEXT:   help: change the constant
// LOW:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// LOW-NEXT:   at: loihi2.dense "fc1"
// LOW-NEXT:   expected: an integer from -128 to 127 added to y1
// LOW-NEXT:   found: (y1 - 129)
// ODD:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// ODD-NEXT:   at: loihi2.dense "fc1"
// ODD-NEXT:   expected: an even integer from -256 to 254 added to w
// ODD-NEXT:   found: (w + 3)
// TAG:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// TAG-NEXT:   at: loihi2.dense "fc1"
// TAG-NEXT:   expected: an even integer from -256 to 254 added to t
// TAG-NEXT:   found: (t + 256)
// HALF:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// HALF-NEXT:   at: loihi2.dense "fc1"
// HALF-NEXT:   expected: an integer from -128 to 127 added to x1
// HALF-NEXT:   found: (x1 + 2^-1)
// BOTH:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// BOTH-NEXT:   at: loihi2.dense "fc1"
// BOTH-NEXT:   expected: a variable and a constant in a bracket
// BOTH-NEXT:   found: (x1 - y1)
// BOTH-NEXT:   help: multiply out the bracket
// NUMBERS:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// NUMBERS-NEXT:   at: loihi2.dense "fc1"
// NUMBERS-NEXT:   expected: a variable in the bracket
// NUMBERS-NEXT:   found: (1 + 2)
// SIGN:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// SIGN-NEXT:   at: loihi2.dense "fc1"
// SIGN-NEXT:   expected: sgn of w, d or t, without a minus sign
// SIGN-NEXT:   found: sgn(x1)
// NEGATIVE:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// NEGATIVE-NEXT:   at: loihi2.dense "fc1"
// NEGATIVE-NEXT:   expected: sgn of w, d or t, without a minus sign
// NEGATIVE-NEXT:   found: sgn(-w)
// ALONE:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// ALONE-NEXT:   at: loihi2.dense "fc1"
// ALONE-NEXT:   expected: a bracket with a constant
// ALONE-NEXT:   found: (-x1)
// ALONE-NEXT:   help: remove the bracket: x1
// SPIKE:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// SPIKE-NEXT:   at: loihi2.dense "fc1"
// SPIKE-NEXT:   expected: a bracket with a constant
// SPIKE-NEXT:   found: (y0)
// SECOND:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// SECOND-NEXT:   at: loihi2.dense "fc1"
// SECOND-NEXT:   expected: u as the first dependency of its product
// SECOND-NEXT:   found: u1
// SECOND-NEXT:   help: put u1 before x0
// BRACKET:      error[LOI014]: dw: a factor of a learning rule is not one of the chip
// BRACKET-NEXT:   at: loihi2.dense "fc1"
// BRACKET-NEXT:   expected: u outside of brackets
// BRACKET-NEXT:   found: (u1 + 1)

// Impulses and time constants just beyond, between the steps of an impulse, and not finite.
// RUN: mutate 's/RULE/dw = "x1 * y0", x1_impulse = 127.00390625/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=IMPULSE
// RUN: mutate 's/RULE/dw = "x1 * y0", y3_impulse = -1.0/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=BELOW
// RUN: mutate 's/RULE/dw = "x1 * y0", x2_impulse = 0.001/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=STEP
// RUN: mutate 's/RULE/dw = "x1 * y0", y1_tau = 65536/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TAU
// RUN: mutate 's/RULE/dw = "x1 * y0", y2_tau = -0.5/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=PAST
// IMPULSE:      error[LOI015]: x1_impulse: a trace of a learning rule is out of range
// IMPULSE-NEXT:   at: loihi2.dense "fc1"
// IMPULSE-NEXT:   expected: 0 to 127, a multiple of 2^-8
// IMPULSE-NEXT:   found: 127.00390625
// IMPULSE-NEXT:   help: x1_impulse = 15.0
// BELOW:      error[LOI015]: y3_impulse: a trace of a learning rule is out of range
// BELOW-NEXT:   at: loihi2.dense "fc1"
// BELOW-NEXT:   expected: 0 to 127, a multiple of 2^-8
// BELOW-NEXT:   found: -1.0
// STEP:      error[LOI015]: x2_impulse: a trace of a learning rule is out of range
// STEP-NEXT:   at: loihi2.dense "fc1"
// STEP-NEXT:   expected: 0 to 127, a multiple of 2^-8
// STEP-NEXT:   found: 0.001
// TAU:      error[LOI015]: y1_tau: a trace of a learning rule is out of range
// TAU-NEXT:   at: loihi2.dense "fc1"
// TAU-NEXT:   expected: 0 to 65535 ticks
// TAU-NEXT:   found: 65536.0
// TAU-NEXT:   help: y1_tau = 8191.0
// PAST:      error[LOI015]: y2_tau: a trace of a learning rule is out of range
// PAST-NEXT:   at: loihi2.dense "fc1"
// PAST-NEXT:   expected: 0 to 65535 ticks
// PAST-NEXT:   found: -0.5

// An epoch has 6 bits.
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 0/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=EPOCH
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 64/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=LONG
// EPOCH:      error[LOI016]: t_epoch: the epoch of a learning rule is out of range
// EPOCH-NEXT:   at: loihi2.dense "fc1"
// EPOCH-NEXT:   expected: 1 to 63 ticks
// EPOCH-NEXT:   found: 0
// EPOCH-NEXT:   help: t_epoch = 1
// LONG:      error[LOI016]: t_epoch: the epoch of a learning rule is out of range
// LONG-NEXT:   at: loihi2.dense "fc1"
// LONG-NEXT:   expected: 1 to 63 ticks
// LONG-NEXT:   found: 64

// One decimation exponent for all equations.
// RUN: mutate 's/RULE/dw = "u1 * x1", dt = "u2 * y1"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=DECIMATION
// DECIMATION:      error[LOI017]: a learning rule has several decimation exponents
// DECIMATION-NEXT:   at: loihi2.dense "fc1"
// DECIMATION-NEXT:   expected: one u in all equations
// DECIMATION-NEXT:   found: dw: u1 * x1; dt: u2 * y1
// DECIMATION-NEXT:   help: replace the others by u1

// Weights that learn have 8 bits.
// RUN: mutate 's/RULE/dw = "x1 * y0"/' 's/"dense8", num_weight_bits = 8/"dense7", num_weight_bits = 7/' 's/\[\[6, -14\], \[0, 10\]\]/[[4, -16], [0, 8]]/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=BITS
// BITS:      error[LOI018]: weights that learn have too few bits
// BITS-NEXT:   at: loihi2.dense "fc1"
// BITS-NEXT:   expected: num_weight_bits = 8
// BITS-NEXT:   found: num_weight_bits = 7
// BITS-NEXT:   help: compile the network again, with weights of 8 bits

// The rules of a core have one epoch; those of different cores are independent.
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 2/' '/loihi2.dense/{p;s/"fc1"/"fc2"/;s/t_epoch = 2/t_epoch = 3/}' %t | not nopt - 2>&1 | filecheck %s --check-prefix=EPOCHS
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 2/' '/loihi2.dense/{p;s/"fc1"/"fc2"/}' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "x1 * y0", t_epoch = 2/' 's/"sparse4", num_weight_bits = 4/"sparse8", num_weight_bits = 8/' 's/delay = #nopt.array<3 : tensor<i32>>/&, learning_rule = #loihi2.learning_rule<dw = "x1 * y0", t_epoch = 3>/' %t | nopt - -o /dev/null
// EPOCHS:      error[LOI019]: the learning rules of a core have different epochs
// EPOCHS-NEXT:   at: loihi2.dense "fc2"
// EPOCHS-NEXT:   expected: t_epoch = 2, as of fc1
// EPOCHS-NEXT:   found: t_epoch = 3
// EPOCHS-NEXT:   help: t_epoch = 2, or a population of another core

// An entry that a rule does not have, one that occurs twice, and a text in place of a number.
// RUN: mutate 's/RULE/dw = "x1 * y0", x3_tau = 1/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=ENTRY
// RUN: mutate 's/RULE/dw = "x1 * y0", dw = "x1 * x0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: mutate 's/RULE/dw = "x1 * y0", x1_tau = "20"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TEXT
// ENTRY: expected one of dw, dd, dt, x1_impulse, x1_tau, x2_impulse, x2_tau, y1_impulse, y1_tau, y2_impulse, y2_tau, y3_impulse, y3_tau, t_epoch, each once
// TWICE: expected one of dw, dd, dt, {{.*}}, each once
// TEXT:  error[COR024]

// A device that lists no rule of this kind.
// RUN: python -c "import json; device = json.load(open('%root/targets/loihi2/devices/oheo_gulch.json')); del device['plasticity']['sum_of_products']; json.dump(device, open('%t.json', 'w'))"
// RUN: mutate 's/RULE/dw = "x1 * y0"/' 's@machine.device = "loihi2/oheo_gulch"@machine.device = "%t.json"@' %t | not nopt - 2>&1 | filecheck %s --check-prefix=DEVICE
// DEVICE:      error[CHI022]: loihi2/oheo_gulch does not have this learning rule
// DEVICE-NEXT:   at: loihi2.dense "fc1"
// DEVICE-NEXT:   expected: pairs (stdp) (loihi2/oheo_gulch, plasticity)
// DEVICE-NEXT:   found: loihi2.learning_rule
// DEVICE-NEXT:   help: compile the network again, after ntensor-freeze-plasticity

// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nors}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="./nobody.neuron"}' 2>&1 | filecheck %s --check-prefix=FILE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/bytes.neuron"}' 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=half}' 2>&1 | filecheck %s --check-prefix=RESET
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options="refractory=2"}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options="reset"}' 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lf.reset=zero"}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.rest=zero"}' 2>&1 | filecheck %s --check-prefix=NODEOPTION
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.reset=half"}' 2>&1 | filecheck %s --check-prefix=NODEVALUE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/mine.neuron" reset=subtract}' 2>&1 | filecheck %s --check-prefix=OWN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/mine.neuron" reset=value}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=weights}' 2>&1 | filecheck %s --check-prefix=LOOP
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=current}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse output-delay=-1}' 2>&1 | filecheck %s --check-prefix=TICKS
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse neuron-delay=18446744073709551616}' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse output-delay=1}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/bad_switch.neuron"}' 2>&1 | filecheck %s --check-prefix=SWITCH
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/half_tick.neuron"}' 2>&1 | filecheck %s --check-prefix=HALF
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/bad_family.neuron"}' 2>&1 | filecheck %s --check-prefix=FAMILY
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/bad_option.neuron"}' 2>&1 | filecheck %s --check-prefix=NOSWITCH
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool}' 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: nopt %S/../passes/discretize/inputs/values.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=zero}' 2>&1 | filecheck %s --check-prefix=UNUSED
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' 2>&1 | filecheck %s --check-prefix=UNCHOSEN
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/asks.neuron"}' 2>&1 | filecheck %s --check-prefix=ASKS
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/recurs.neuron"}' 2>&1 | filecheck %s --check-prefix=RECURS

// snnTorch's layers each have their own reset, and the recorded one is not its default.
// UNCHOSEN: warning[ANA023]: reset is not chosen
// UNCHOSEN-NEXT:   at: nir.{{.*}}
// UNCHOSEN-NEXT:   expected: one of value, zero, subtract, subtract_next, zero_next, zero_hold, none, as the network was trained
// UNCHOSEN-NEXT:   found: none; took value
// UNCHOSEN-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=RULE}', where RULE is one of value, zero, subtract, subtract_next, zero_next, zero_hold or none

// A file with an option of no neuron, and one whose recurrent populations have a reset of no neuron.
// ASKS: error[ANA021]: ask names what no neuron has
// ASKS-NEXT:   at: ask in {{.*}}inputs/asks.neuron
// ASKS-NEXT:   expected: one of reset
// ASKS-NEXT:   found: refractory
// ASKS-NEXT:   help: ask = reset
// RECURS: error[ANA021]: recurrent_half names what no neuron has
// RECURS-NEXT:   at: recurrent_half in {{.*}}inputs/recurs.neuron
// RECURS-NEXT:   expected: one of value, zero, subtract
// RECURS-NEXT:   found: half

// A misspelt preset.
// NAME: error[ANA017]: unknown preset nors
// NAME-NEXT:   at: like=nors
// NAME-NEXT:   expected: one of euler, lava, nengo, norse, rockpool, sinabs, snntorch, spikingjelly, spinnaker2, spyx, spyx_0_1, or a file
// NAME-NEXT:   found: nors
// NAME-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}'

// A missing file.
// FILE: error[ANA017]: file ./nobody.neuron does not exist
// FILE-NEXT:   at: like="./nobody.neuron"
// FILE-NEXT:   expected: a file in the neuron language
// FILE-NEXT:   found: ./nobody.neuron
// FILE-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=NAME}', where NAME is one of euler, lava, nengo, norse, rockpool, sinabs, snntorch, spikingjelly, spinnaker2, spyx or spyx_0_1

// A file that is not text in UTF-8.
// BYTES: error[ANA017]: {{.*}}inputs/bytes.neuron cannot be read
// BYTES-NEXT:   at: like="{{.*}}inputs/bytes.neuron"
// BYTES-NEXT:   expected: a text file in UTF-8
// BYTES-NEXT:   found: 'utf-8' codec can't decode byte 0xe9 in position 10: invalid continuation byte
// BYTES-NEXT:   help: save the file as UTF-8, or like=NAME, where NAME is one of euler, lava, nengo, norse, rockpool, sinabs, snntorch, spikingjelly, spinnaker2, spyx or spyx_0_1

// A reset that no preset supports.
// RESET: error[ANA019]: option reset has no value half
// RESET-NEXT:   at: reset=half
// RESET-NEXT:   expected: value or zero or subtract
// RESET-NEXT:   found: half
// RESET-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}'

// An option that no neuron has.
// OPTION: error[ANA019]: unknown option refractory
// OPTION-NEXT:   at: refractory=2
// OPTION-NEXT:   expected: one of reset
// OPTION-NEXT:   found: refractory
// OPTION-NEXT:   help: reset, or leave it out

// A node that the network does not have, and an option that its neuron does not have.
// NODE: error[ANA024]: an option of a population cannot be applied
// NODE-NEXT:   at: options-at="lf.reset=zero"
// NODE-NEXT:   expected: NODE.NAME=VALUE, with one of lif, if, i, t, cuba 1, cuba 2
// NODE-NEXT:   found: lf
// NODE-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.reset=zero"}'
// NODEOPTION: error[ANA024]: an option of a population cannot be applied
// NODEOPTION-NEXT:   at: options-at="lif.rest=zero"
// NODEOPTION-NEXT:   expected: one of reset
// NODEOPTION-NEXT:   found: rest
// NODEOPTION-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.reset=zero"}'

// A value that the option of the neuron does not have.
// NODEVALUE: error[ANA024]: an option of a population cannot be applied
// NODEVALUE-NEXT:   at: options-at="lif.reset=half"
// NODEVALUE-NEXT:   expected: one of value, zero, subtract
// NODEVALUE-NEXT:   found: half
// NODEVALUE-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.reset=value"}'

// An option without a value.
// VALUE: error[ANA019]: option reset needs a value
// VALUE-NEXT:   at: reset=
// VALUE-NEXT:   expected: value or zero or subtract
// VALUE-NEXT:   found: none
// VALUE-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options=reset reset=zero}'

// An option that the neuron has with other values.
// OWN: remark[ANA018]: {{.*}}inputs/mine.neuron defines no i; forward Euler takes its place
// OWN-NEXT:   at: nir.i "i"
// OWN-NEXT:   expected: a neuron for i in {{.*}}inputs/mine.neuron
// OWN-NEXT:   found: none; took the one of euler
// OWN-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// OWN: remark[ANA018]: {{.*}}inputs/mine.neuron defines no threshold; forward Euler takes its place
// OWN-NEXT:   at: nir.threshold "t"
// OWN-NEXT:   expected: a neuron for threshold in {{.*}}inputs/mine.neuron
// OWN-NEXT:   found: none; took the one of euler
// OWN-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// OWN: remark[ANA018]: {{.*}}inputs/mine.neuron defines no cuba_li; forward Euler takes its place
// OWN-NEXT:   at: nir.cuba_li "cuba 1", "cuba 2"
// OWN-NEXT:   expected: a neuron for cuba_li in {{.*}}inputs/mine.neuron
// OWN-NEXT:   found: none; took the one of euler
// OWN-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// OWN: {{.*}}inputs/mine.neuron:9:1: error[NEU005]: option reset has no value 'subtract' in neuron mine
// OWN-NEXT:   expected: value or zero
// OWN-NEXT:   found: subtract
// OWN-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}mine.neuron" reset=value}'
// OWN-NEXT:   note: line 9
// OWN-NEXT:     option reset = value | zero
// OWN-NEXT:     ^

// A delay of an unknown kind of node.
// LOOP: error[ANA021]: loop-delay has no value weights
// LOOP-NEXT:   at: loop-delay=weights
// LOOP-NEXT:   expected: spikes or current
// LOOP-NEXT:   found: weights
// LOOP-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=current}'

// A delay beyond 64 bits.
// LONG: error[ANA021]: neuron-delay is a number of ticks

// A negative delay.
// TICKS: error[ANA021]: output-delay is a number of ticks
// TICKS-NEXT:   at: output-delay=-1
// TICKS-NEXT:   expected: an integer from 0 to 2147483647
// TICKS-NEXT:   found: -1
// TICKS-NEXT:   help: nopt {{.*}}presets-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse output-delay=1}'

// Switches of a file: an unknown value, half a tick, an unknown family, an unknown switch.
// SWITCH: error[ANA021]: loop_delay has no value weights
// SWITCH-NEXT:   at: loop_delay in {{.*}}inputs/bad_switch.neuron
// SWITCH-NEXT:   expected: spikes or current
// SWITCH-NEXT:   found: weights
// SWITCH-NEXT:   help: loop_delay = current

// HALF: error[ANA021]: output_delay is a number of ticks
// HALF-NEXT:   at: output_delay in {{.*}}inputs/half_tick.neuron
// HALF-NEXT:   expected: an integer from 0 to 2147483647
// HALF-NEXT:   found: 0.5
// HALF-NEXT:   help: output_delay = 1

// FAMILY: error[ANA021]: unknown family lfi
// FAMILY-NEXT:   at: input_delay_lfi in {{.*}}bad_family.neuron
// FAMILY-NEXT:   expected: input_delay_FAMILY with one of {{.*}}cuba_lif{{.*}}
// FAMILY-NEXT:   found: input_delay_lfi
// FAMILY-NEXT:   help: input_delay_li = 1

// NOSWITCH: error[ANA021]: unknown switch synaps_delay
// NOSWITCH-NEXT:   at: synaps_delay in {{.*}}inputs/bad_option.neuron
// NOSWITCH-NEXT:   expected: one of loop_delay, synapse_delay, neuron_delay, output_delay, ask, {{.*}}input_delay_threshold, reset
// NOSWITCH-NEXT:   found: synaps_delay
// NOSWITCH-NEXT:   help: synapse_delay = 1

// A family that the preset does not define is reported, once for all its populations.
// MISSING: remark[ANA018]: rockpool defines no if; forward Euler takes its place
// MISSING-NEXT:   at: nir.if "if"
// MISSING-NEXT:   expected: a neuron for if in rockpool
// MISSING-NEXT:   found: none; took the one of euler
// MISSING-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// MISSING: remark[ANA018]: rockpool defines no i; forward Euler takes its place
// MISSING-NEXT:   at: nir.i "i"
// MISSING-NEXT:   expected: a neuron for i in rockpool
// MISSING-NEXT:   found: none; took the one of euler
// MISSING-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// MISSING: remark[ANA018]: rockpool defines no threshold; forward Euler takes its place
// MISSING-NEXT:   at: nir.threshold "t"
// MISSING-NEXT:   expected: a neuron for threshold in rockpool
// MISSING-NEXT:   found: none; took the one of euler
// MISSING-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one
// MISSING: remark[ANA018]: rockpool defines no cuba_li; forward Euler takes its place
// MISSING-NEXT:   at: nir.cuba_li "cuba 1", "cuba 2"
// MISSING-NEXT:   expected: a neuron for cuba_li in rockpool
// MISSING-NEXT:   found: none; took the one of euler
// MISSING-NEXT:   help: write the rule in the neuron language and set like=./mine.neuron, if it was trained with another one

// An option without effect in this network, because no neuron in use has it.
// UNUSED: remark[ANA022]: option reset changes nothing
// UNUSED-NEXT:   at: reset=zero
// UNUSED-NEXT:   expected: a neuron with the option reset
// UNUSED-NEXT:   found: none of norse_li has it
// UNUSED-NEXT:   help: leave reset out, or declare it in the file that like names

// HELPED: ntensor.network @net
nir.graph @net("in" %x: tensor<1xf32>) -> ("lif out": tensor<1xi1>, "if out": tensor<1xi1>, "i out": tensor<1xf32>, "t out": tensor<1xi1>, "cuba out": tensor<1xf32>, "cuba out 2": tensor<1xf32>) {
  %a = nir.lif "lif" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.if "if" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.i "i" %x {r = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %d = nir.threshold "t" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %e = nir.cuba_li "cuba 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %f = nir.cuba_li "cuba 2" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %a, %b, %c, %d, %e, %f : tensor<1xi1>, tensor<1xi1>, tensor<1xf32>, tensor<1xi1>, tensor<1xf32>, tensor<1xf32>
}

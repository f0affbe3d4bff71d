// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=refractory_lif}' 2>&1 | filecheck %s --check-prefix=REFRACTORY
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=reached_lif}' 2>&1 | filecheck %s --check-prefix=REACHED
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=bounded_lif}' 2>&1 | filecheck %s --check-prefix=BOUNDED
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=counting_lif}' 2>&1 | filecheck %s --check-prefix=COUNTING
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=late_lif}' 2>&1 | filecheck %s --check-prefix=LATE
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=started_lif}' 2>&1 | filecheck %s --check-prefix=STARTED
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=whole_if}' 2>&1 | filecheck %s --check-prefix=WHOLE

// RUN: not nopt %S/../inputs/bursts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool reset=subtract},ntensor-quantize-weights{bits=8 per=population},ntensor-set-neuron-model{to="xylo/audio3"}' 2>&1 | filecheck %s --check-prefix=BURSTS
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../inputs/adaptive.neuron"},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/rules.neuron" neuron=options_lif}' 2>&1 | filecheck %s --check-prefix=ADAPTIVE
// One neuron of a chip for each property.

// A refractory period of two ticks.
// REFRACTORY: error[LEG020]: @refractory_lif follows another rule than the population
// REFRACTORY: found: refractory: 0 ticks, 2 ticks

// A spike if v equals the threshold.
// REACHED: error[LEG020]: @reached_lif follows another rule than the population
// REACHED: found: comparison: v > threshold, v >= threshold

// v does not fall below 0.
// BOUNDED: error[LEG020]: @bounded_lif follows another rule than the population
// BOUNDED: found: bound: v is bounded otherwise

// Several spikes in a tick: the number of thresholds that fit v.
// COUNTING: error[LEG020]: @counting_lif follows another rule than the population
// COUNTING: found: count: at most 1 in a tick, at most 15; comparison: v > threshold, v >= threshold

// More spikes in a tick than the neuron can send, late in a burst. Formerly this was reported as another reset.
// BURSTS: error[LEG020]: @xylo.reached.kept follows another rule than the population: count
// BURSTS: found: count: at most 65536 in a tick, at most 31

// A threshold that adapts, with the same reset.
// ADAPTIVE: error[LEG020]: @options_lif.value.{{.*}} follows another rule than the population: threshold [neuron-rule-mismatch]{{$}}
// ADAPTIVE: found: threshold: the threshold adapts, the threshold is constant

// A reset in the tick after the spike.
// LATE: error[LEG020]: @late_lif follows another rule than the population
// LATE: found: reset: the membrane after a spike differs

// Half of the threshold before the first tick.
// STARTED: error[LEG020]: @started_lif follows another rule than the population
// STARTED: found: initial: the state before the first tick differs

// No leak, although the population loses a quarter in each tick.
// WHOLE: error[LEG020]: @whole_if follows another rule than the population
// WHOLE: found: decay: decay 0.75, 1

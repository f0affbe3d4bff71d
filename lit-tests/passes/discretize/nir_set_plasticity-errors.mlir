// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=tripletz}' 2>&1 | filecheck %s --check-prefix=RULE
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=none.synapse}' 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=lif rule=stdp}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=stdp entries="a_plus"}' 2>&1 | filecheck %s --check-prefix=ENTRY
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=homeostatic entries="gain=1"},convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=homeostatic entries="gain=1,target=5,w_min=0,w_max=1,tau_rate=0"},convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s --check-prefix=BOUNDS
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=homeostatic entries="gain=1,target=5,w_min=0,w_max=1,tau_rate=1,tau=1"},convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s --check-prefix=EXTRA
// RUN: not nopt %S/inputs/plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=stdp entries="dependence=linear"},convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s --check-prefix=OPTION

// RULE: error[ANA041]: unknown learning rule tripletz
// RULE-NEXT: at: rule=tripletz
// RULE-NEXT: expected: one of eprop, homeostatic, reward, stdp, stdp_nearest_pair, stdp_pre_centred, stdp_reduced, stdp_symmetric, triplet, tsodyks_markram, or a file in the synapse language
// RULE-NEXT: found: tripletz
// RULE-NEXT: help: nopt {{.*}}plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=triplet}'
// RULE-NEXT: note: near matches: triplet
// ABSENT: error[ANA041]: file none.synapse does not exist
// ABSENT-NEXT: at: rule=none.synapse
// ABSENT-NEXT: expected: one of eprop, homeostatic, reward, stdp, stdp_nearest_pair, stdp_pre_centred, stdp_reduced, stdp_symmetric, triplet, tsodyks_markram, or a file in the synapse language
// ABSENT-NEXT: found: none.synapse
// ABSENT-NEXT: help: nopt {{.*}}plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=eprop}'
// NODE: error[DIS010]: the network has no synapse op "lif"
// NODE-NEXT: at: nodes
// NODE-NEXT: expected: one of fc
// NODE-NEXT: found: lif
// NODE-NEXT: help: nopt {{.*}}plastic.mlir -p 'nir-set-plasticity{nodes=fc rule=stdp}'
// ENTRY: error[DIS011]: an entry of a learning rule has no value
// ENTRY-NEXT: at: entries
// ENTRY-NEXT: expected: NAME=VALUE
// ENTRY-NEXT: found: a_plus
// ENTRY-NEXT: help: "a_plus=VALUE"
// MISSING: plastic.mlir:2:3: error[ANA042]: parameter target is missing
// MISSING-NEXT: at: nir.linear "fc"
// MISSING-NEXT: expected: gain, target, w_min, w_max, tau_rate
// MISSING-NEXT: found: gain
// MISSING-NEXT: help: target = VALUE, a number
// BOUNDS: homeostatic.synapse:5:41: error[NEU006]: parameter tau_rate is out of its bounds
// BOUNDS-NEXT: at: "fc"
// BOUNDS-NEXT: expected: tau_rate in 1e-9..inf
// BOUNDS-NEXT: found: 0.0
// BOUNDS-NEXT: note: line 5
// BOUNDS-NEXT: param gain, target [1/s], w_min, w_max, tau_rate [s] in 1e-9..inf
// EXTRA: plastic.mlir:2:3: error[ANA042]: parameter tau is unknown
// EXTRA-NEXT: at: nir.linear "fc"
// EXTRA-NEXT: expected: gain, target, w_min, w_max, tau_rate
// EXTRA-NEXT: found: tau
// EXTRA-NEXT: help: remove tau
// OPTION: stdp.synapse:7:1: error[NEU005]: option dependence has no value 'linear' in synapse stdp
// OPTION-NEXT: expected: additive or multiplicative or power
// OPTION-NEXT: found: linear
// OPTION-NEXT: help: dependence=additive
// OPTION-NEXT: note: line 7
// OPTION-NEXT: option dependence = additive | multiplicative | power

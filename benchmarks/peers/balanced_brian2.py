"""The balanced network in Brian 2, as generated C++ (`cpp_standalone`), one thread: python balanced_brian2.py NETWORK.npz TICKS."""

import sys
import tempfile
from pathlib import Path

import brian2 as b2
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
import balanced as net

made, ticks = net.Balanced.load(sys.argv[1]), int(sys.argv[2])
with tempfile.TemporaryDirectory() as folder:
    b2.set_device("cpp_standalone", directory=folder, build_on_run=False)
    b2.defaultclock.dt = net.DT_MS * b2.ms
    neurons = b2.NeuronGroup(
        made.neurons,
        "dv/dt = (drive - v) / tau : 1 (unless refractory)",
        threshold="v > threshold",
        reset="v = v_reset",
        refractory=net.REFRACTORY_MS * b2.ms,
        method="exact",
        namespace={
            "tau": net.TAU_MS * b2.ms,
            "drive": net.DRIVE_MV,
            "threshold": net.THRESHOLD_MV,
            "v_reset": net.RESET_MV,
        },
    )
    neurons.v = made.v
    groups = []
    for weight, is_chosen in (
        (net.J_MV, made.source < made.excitatory),
        (-net.G * net.J_MV, made.source >= made.excitatory),
    ):
        synapses = b2.Synapses(neurons, neurons, on_pre=f"v_post += {weight}", delay=net.DELAY_MS * b2.ms)
        synapses.connect(i=made.source[is_chosen], j=made.target[is_chosen])
        groups.append(synapses)
    spikes = b2.SpikeMonitor(neurons, record=False)
    b2.Network(neurons, *groups, spikes).run(ticks * net.DT_MS * b2.ms)
    b2.device.build(directory=folder, compile=True, run=True, with_output=False)
    net.report(
        f"Brian {b2.__version__}, cpp_standalone",
        b2.device._last_run_time,
        int(np.asarray(spikes.num_spikes)),
        made.neurons,
        ticks,
    )

"""The plastic network in Brian 2, as generated C++ (`cpp_standalone`), one thread: python plasticity_brian2.py NETWORK.npz TICKS."""

import resource
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
    b2.prefs.core.default_float_dtype = np.float32
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
    excite = b2.Synapses(
        neurons,
        neurons,
        "w : 1\ndx/dt = -x / tau_stdp : 1 (event-driven)\ndy/dt = -y / tau_stdp : 1 (event-driven)",
        on_pre="v_post += w\nw = clip(w - a_minus * y, 0, most)\nx += 1",
        on_post="w = clip(w + a_plus * x, 0, most)\ny += 1",
        namespace={
            "tau_stdp": net.TAU_STDP_MS * b2.ms,
            "a_plus": net.A_PLUS,
            "a_minus": net.A_MINUS,
            "most": net.MOST_MV,
        },
    )
    is_excitatory = made.source < made.excitatory
    excite.connect(i=made.source[is_excitatory], j=made.target[is_excitatory])
    excite.w = net.PLASTIC_MV
    excite.pre.delay = net.DELAY_MS * b2.ms
    inhibit = b2.Synapses(neurons, neurons, on_pre=f"v_post -= {net.G * net.PLASTIC_MV}", delay=net.DELAY_MS * b2.ms)
    inhibit.connect(i=made.source[~is_excitatory], j=made.target[~is_excitatory])
    spikes = b2.SpikeMonitor(neurons, record=False)
    b2.Network(neurons, excite, inhibit, spikes).run(ticks * net.DT_MS * b2.ms)
    b2.device.build(directory=folder, compile=True, run=False, with_output=False)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    b2.device.run(folder, with_output=False, run_args=[])
    cpu_seconds = (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    )  # with the start of the program and its arrays
    net.report(
        f"Brian {b2.__version__}, cpp_standalone",
        b2.device._last_run_time,
        int(np.asarray(spikes.num_spikes)),
        made.neurons,
        ticks,
        cpu_seconds,
    )

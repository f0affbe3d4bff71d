"""Runs parts of aihwkit: the converters of a tile, and the conductances of its phase-change cells.

python memxbar_aihwkit.py converters in.npz out.npz       weights [n, outputs, rows], x [n, samples, rows], dac_bits, adc_bits and ranges [n], bound
python memxbar_aihwkit.py cells in.npz out.npz            target [cells, uS], ages [s], seeds, g_max
"""

import sys
import warnings

import numpy as np
import torch
from aihwkit.inference import PCMLikeNoiseModel
from aihwkit.simulator.configs import TorchInferenceRPUConfig
from aihwkit.simulator.parameters.enums import BoundManagementType, NoiseManagementType
from aihwkit.simulator.tiles.analog_mvm import AnalogMVM


def converters(given):
    """Returns the results of every tile: ABS_MAX and ITERATIVE, or with the fixed range of inputs `ranges` where it is positive."""
    results = []
    for k in range(len(given["weights"])):
        pars = TorchInferenceRPUConfig().forward
        pars.inp_res, pars.out_res = (1 / (2.0 ** given[name][k] - 2) for name in ("dac_bits", "adc_bits"))
        pars.out_bound, pars.inp_noise, pars.out_noise, pars.w_noise = float(given["bound"]), 0.0, 0.0, 0.0
        if given["ranges"][k] > 0:
            pars.noise_management, pars.nm_thres = NoiseManagementType.CONSTANT, float(given["ranges"][k])
            pars.bound_management = BoundManagementType.NONE
        weights, rows = (torch.tensor(given[name][k].astype(np.float32)) for name in ("weights", "x"))
        # one product at a time: the tool repeats all products of a batch while one of them is out of range
        each = [AnalogMVM.matmul(weights, row[None], pars, False) for row in rows]
        results.append(torch.cat(each).numpy())
    return {"y": np.array(results)}


def cells(given):
    """Returns the conductances of all cells: programmed, and at each age. Shapes: [seeds, (ages,) cells]."""
    model = PCMLikeNoiseModel(g_max=float(given["g_max"]))
    target = torch.tensor(given["target"].astype(np.float32))
    programmed, aged = [], []
    for seed in given["seeds"]:
        torch.manual_seed(int(seed))
        new = model.apply_programming_noise_to_conductance(target)
        drift = model.generate_drift_coefficients(target)
        programmed.append(new.numpy().copy())
        aged.append(
            [model.apply_drift_noise_to_conductance(new, drift, float(age)).numpy().copy() for age in given["ages"]]
        )
    return {"programmed": np.array(programmed), "aged": np.array(aged)}


def main():
    warnings.simplefilter("ignore")
    command, given, result = sys.argv[1:]
    with np.load(given) as arrays:
        np.savez(result, **{"converters": converters, "cells": cells}[command](dict(arrays)))


main()

"""Digits of 8 x 8 pixels as spikes, a network that learns them without labels, and the accuracy of its neurons as a classifier.

    python glyphs.py make SEED                 # net.nir, stream.npy, train.npy, test.npy, train_classes.npy, test_classes.npy
    python glyphs.py score TRAIN.npz TEST.npz  # of nopt run with train.npy and test.npy

A bright pixel spikes every 5 ticks for 30 ticks. Later, a dark pixel spikes once with a probability of 0.3, so that its weights can become weaker.
"""

import sys

import nir
import numpy as np

GLYPHS = """
.###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.
#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#
#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#
#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..
"""
CLASSES, SIDE, TRAINED, TESTED = 10, 8, 1000, 400
BRIGHT, PERIOD, DARK, TICKS = 30, 5, range(32, 47), 62
CELLS, INHIBITORS = 64, 13


def images(count, random):
    """Returns digits with two vertical positions, where a pixel in fifty is flipped, and their classes."""
    rows = [line.split() for line in GLYPHS.split("\n") if line]
    shapes = np.array([[[dot == "#" for dot in row[digit]] for row in rows] for digit in range(CLASSES)])
    classes, tops = (np.floor(size * random.random(count)).astype(int) for size in (CLASSES, 2))
    found = np.zeros((count, SIDE, SIDE), bool)
    for image, digit, top in zip(found, classes, tops, strict=True):
        image[top : top + 7, 1:6] = shapes[digit]
    return found ^ (random.random(found.shape) < 0.02), classes


def spikes(images, random):
    """Returns the spikes of images, [samples, ticks, pixels]."""
    pixels = images.reshape(len(images), 1, -1)
    tick = np.arange(TICKS)[:, None]
    phase, late, chance = (random.random(pixels.shape) for _ in range(3))
    bright = pixels & (tick < BRIGHT) & (tick % PERIOD == np.floor(PERIOD * phase))
    dark = ~pixels & (chance < 0.3) & (tick == np.floor(DARK.start + len(DARK) * late))
    return bright | dark


def network(random):
    """Returns cells that read all pixels and inhibit each other. Each cell also drives a neuron that makes it tired for 400 ms."""

    def neurons(count, tau, threshold):
        one = np.ones(count)
        return {"r": one, "v_leak": 0 * one, "v_reset": 0 * one, "v_threshold": threshold * one, "tau": tau * one}

    def integrators(count, tau, threshold):
        return nir.LIF(**neurons(count, tau, threshold) | {"r": np.full(count, tau / 1e-3)})

    tired = neurons(CELLS, 0.005, 1)
    tau_mem = tired.pop("tau")
    nodes = {
        "pixels": nir.Input({"input": np.array([SIDE * SIDE])}),
        "fc": nir.Linear(0.7 * random.random((CELLS, SIDE * SIDE))),
        "cells": integrators(CELLS, 0.02, 10),
        "excite": nir.Linear(np.ones((INHIBITORS, CELLS))),
        "inhibitors": integrators(INHIBITORS, 0.005, 0.5),
        "inhibit": nir.Linear(-0.9 * np.ones((CELLS, INHIBITORS))),
        "tire": nir.Linear(2.0 * np.eye(CELLS)),
        "tired": nir.CubaLIF(**tired, tau_mem=tau_mem, tau_syn=np.full(CELLS, 0.4), w_in=np.full(CELLS, 400.0)),
        "weaken": nir.Linear(-0.8 * np.eye(CELLS)),
        "output": nir.Output({"output": np.array([CELLS])}),
    }
    edges = [("pixels", "fc"), ("fc", "cells"), ("cells", "output")]
    edges += [("cells", "excite"), ("excite", "inhibitors"), ("inhibitors", "inhibit"), ("inhibit", "cells")]
    edges += [("cells", "tire"), ("tire", "tired"), ("tired", "weaken"), ("weaken", "cells")]
    return nir.NIRGraph(nodes, edges)


def counts(path):
    """Returns the spikes of each cell in each sample."""
    return np.load(path)["output"].sum(1)


def accuracy(train, train_classes, test, test_classes):
    """Returns the share of samples whose class is that of the cells with the most spikes; a cell has the class in which it spikes most."""
    means = np.array([train[train_classes == digit].mean(0) for digit in range(CLASSES)])
    owner = np.where(means.any(0), means.argmax(0), -1)
    votes = np.array([test[:, owner == digit].sum(1) / max(1, (owner == digit).sum()) for digit in range(CLASSES)])
    return (votes.argmax(0) == test_classes).mean()


def make(seed):
    random = np.random.default_rng(seed)
    nir.write("net.nir", network(random))
    for name, count in (("train", TRAINED), ("test", TESTED)):
        shown, classes = images(count, random)
        np.save(f"{name}.npy", spikes(shown, random))
        np.save(f"{name}_classes.npy", classes)
    np.save("stream.npy", np.load("train.npy").reshape(-1, SIDE * SIDE))


def score(train, test):
    train, test = counts(train), counts(test)
    classes, wanted = np.load("train_classes.npy"), np.load("test_classes.npy")
    shuffled = np.random.default_rng(0).permutation(classes)
    right, chance = accuracy(train, classes, test, wanted), accuracy(train, shuffled, test, wanted)
    print(f"accuracy: {right:.1%}, with shuffled classes {chance:.1%}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]))
    else:
        score(*sys.argv[2:])

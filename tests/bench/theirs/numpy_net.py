"""numpy at work: `numpy_net.py POSITIONS INPUTS OUTPUTS` looks at positions with a net of two layers of 64, 256 at once.

What stands in a position is a row of zeros and ones, in single precision. How it is made of the position is not counted.
It has one thread: others, waiting for such small products, take a hundred times as long on busy processors.
"""

import json
import os
import sys
from time import process_time

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
import numpy

UNITS, BATCH = 64, 256


def main(positions, inputs, outputs):
    random = numpy.random.default_rng(1)
    first, second, last = (
        random.normal(size=shape).astype(numpy.float32) for shape in ((inputs, UNITS), (UNITS, UNITS), (UNITS, outputs))
    )
    batch = (random.random((BATCH, inputs)) < 0.3).astype(numpy.float32)
    began, done = process_time(), 0
    while done < positions:
        numpy.maximum(numpy.maximum(batch @ first, 0) @ second, 0) @ last
        done += BATCH
    return {"units": done, "seconds": process_time() - began}


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:]))))

"""torch at work on one thread: `torch_net.py POSITIONS INPUTS OUTPUTS` looks at positions as `numpy_net.py` does."""

import json
import sys
from time import process_time

import torch

UNITS, BATCH = 64, 256


@torch.inference_mode()
def main(positions, inputs, outputs):
    torch.set_num_threads(1)
    net = torch.nn.Sequential(
        torch.nn.Linear(inputs, UNITS), torch.nn.ReLU(), torch.nn.Linear(UNITS, UNITS), torch.nn.ReLU(),
        torch.nn.Linear(UNITS, outputs),
    )  # fmt: skip
    batch = (torch.rand(BATCH, inputs) < 0.3).float()
    net(batch)
    began, done = process_time(), 0
    while done < positions:
        net(batch)
        done += BATCH
    return {"units": done, "seconds": process_time() - began}


if __name__ == "__main__":
    print(json.dumps(main(*map(int, sys.argv[1:]))))

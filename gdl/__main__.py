"""The program `gdl`, as `python -m gdl` starts it too: it minds Ctrl-C before anything else is imported.

`python -m` looks for modules in the working folder first, which may be a stranger's. That ends here, unless gdl itself
lies there; what Python has imported until now is not ours to choose, so that `python -P -m gdl` is safer still.
"""

import gc
import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
    del sys.path[0]

import gdl.commands.ctrl_c

gdl.commands.ctrl_c.ends_the_process()

COLLECTED = (1_000_000, 50, 100)  # objects between two looks for cycles: positions are many, and have none


def main() -> None:
    """Run the program."""
    gc.set_threshold(*COLLECTED)  # first of all, for what is imported is for the most part kept
    from gdl.commands.cli import main as run

    run()


if __name__ == "__main__":
    main()

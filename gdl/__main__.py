"""The program `gdl`, as `python -m gdl` starts it too: it minds Ctrl-C before anything else is imported."""

import gdl.commands.ctrl_c

gdl.commands.ctrl_c.ends_the_process()


def main() -> None:
    """The program."""
    from gdl.commands.cli import main as run

    run()


if __name__ == "__main__":
    main()

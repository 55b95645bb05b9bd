"""The terminal at which the persons of a match sit, one of them at a time."""

import os

import click

from gdl.commands import console


class SharedConsole:
    """The console of the command line, which persons hand over to one another."""

    ask = staticmethod(console.ask)
    line = staticmethod(console.line)

    def hand_over(self, name: str) -> bool:
        """Clear the screen, and wait until the person of that name confirms to be alone; False if the input ends.
        Without a terminal, only say so."""
        if not console.is_terminal():
            self.line(f"\nIt is for {name} alone to see what follows.")
            return True
        _clear_screen()
        came = self.ask(f"It is {name}'s turn. {name}, press Enter when nobody else looks. ") is not None
        _clear_screen()
        return came


def _clear_screen() -> None:
    """Clear the screen and its scrollback."""
    click.clear()
    if os.name != "nt":  # there the console's own command has done it
        click.echo("\x1b[3J", nl=False)

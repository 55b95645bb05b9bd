"""Texts of positions that no play reaches: the game, the text, and why it is refused or what is left out of it."""

from click.testing import CliRunner

from gdl.commands.cli import commands

BAD = [  # game, text, words of the refusal ("": it is repaired, with a warning), and of the warning
    ("chess", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "has just moved can be taken", ""),
    ("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", "each side has one king", ""),
    ("chess", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "each side has one king", ""),
    ("chess", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "no pawn stands", ""),
    ("chess", "4k3/8/8/8/8/8/P7/4K3 w KQ - 0 1", "", "'K' and 'Q' of rights are left out"),
    ("chess", "4k3/8/8/8/8/8/P7/R2K3R w KQ - 0 1", "", "'K' and 'Q' of rights are left out"),
    ("chess", "4k3/2p5/8/1p6/8/8/8/4K3 b - b6 0 1", "", "'b6' of passed is left out"),
    ("minichess", "rnbqk/ppppp/5/PPPPP/RNBQ1 w", "each side has one king", ""),
    ("atomic", "8/8/8/8/8/8/8/4K3 w - - 0 1", "each side has one king", ""),
    ("crazyhouse", "8/8/8/8/8/8/8/4K3[] w - - 0 1", "each side has one king", ""),
    ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w Kq - 0 1", "", "'K' and 'q' of rights are left out"),
    ("shogi", "9/9/9/9/9/9/9/9/4R4 b - 1", "each side has one king, or", ""),
    ("shogi", "4k4/9/9/9/9/9/9/9/4R4 b - 1", "has just moved can be taken", ""),
    ("xiangqi", "9/9/9/9/9/9/9/9/9/4K4 w", "each palace has its general", ""),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 w", "has just moved can be taken", ""),
    ("draughts", "W:W1:B50", "a man on the last row is a king", ""),
    ("checkers", "W:W1:B32", "a man on the last row is a king", ""),
]


def run(*words: str, told: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(commands, words, input=told, prog_name="gdl")
    return done.exit_code, done.stdout + " ".join(done.stderr.split())

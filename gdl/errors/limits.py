"""How much a game may ask for: every limit of the language, in one place.

A file from a stranger is safe to open: whoever asks for more is told so before anything is allocated or played.
"""

# Of the text.
SOURCE = 1 << 20  # bytes of a file, and of all the files that a game is made from
EXPLICIT = 16 << 20  # bytes of a file with a tree or a matrix,
NODES = 300_000  # of such a tree,
WORDS = 1_500_000  # and words, numbers and signs in such a file
LESS_SOURCE = "write it by rules, which are short; a large tree can be made in Python by gdl.tree: gdl guide python"
ANSWER = 256 << 20  # bytes of an answer, or a strategy, that is read
PLAY = 32 << 20  # bytes of the line that is a recorded play
FILES = 30  # that a game is made from
DIGITS = 18  # of a number,
EXPLICIT_DIGITS = 200  # in a tree or a matrix, and in what is expected of it
NESTING = 100  # brackets, or blocks, inside one another
OPERATIONS = 200  # inside one another, whether brackets show it or not: 1 + 2 + 3 + …
NAMES = 20  # bound by one quantifier or `for`
PROBLEMS = 50  # of one file that are told

COURTESY_SECONDS = 0.5  # of processor time for a work that only words a message better,
HURRIED_SECONDS = 0.05  # where the command has no time left
ROWS, COLUMNS = 24, 120  # of a screen: no message is longer
LINE_ROWS = 8  # that one line of a message takes where it is wrapped,
PLAY_ROWS, HELP_ROWS = 3, 4  # and a play that leads to a fault, and what to do
FEWER_WAYS = "let 'when' or a shorter range leave ways out, or split it into steps, each a ply of its own"

# Of what is declared.
PLAYERS = 64
SQUARES = 10_000  # of a board
TABLE = 500_000  # entries of the table behind a word about boards, such as lines(Square, 5)
IN_SET = 10_000  # members of a set; a number in a set is smaller
STATE = 1 << 20  # bits
DEPTH = 1000  # operations inside one another, through all the definitions they call

# Of play.
NUMBER = 10**18  # size of a number, or of a fraction's denominator, that play may reach
CALLS = 200  # of recursive definitions inside one another
CALLS_AT_ONCE = 10_000  # that a definition makes through all the definitions it calls
REPEATS = 1000  # turns of one `repeat`
ACTIONS = 100_000  # ways to act in one state
JOINT = 1_000_000  # joint moves that are looked at in one state
WORK = 5_000_000  # values that quantifiers and parameters run through in one state
LOOK = 256 << 20  # bytes of the positions that are kept by a look through a game, as `gdl check` takes
CELLS = 1 << 24  # of the positions whose expansions the interpreter keeps, and of those that follow them
REMEMBERED = 1 << 16  # results of one definition that depends on its arguments alone

"""Text -> syntax: the parser's parts become the records of gdl.syntax, its errors Problems in the words of games."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

from lark import UnexpectedToken

from gdl import syntax
from gdl.errors import GameError, Problem, Source, Span, fault, limits
from gdl.errors.deadline import check_deadline
from gdl.errors.file_size import most_bytes
from gdl.syntax import lark_parser, lexer
from gdl.syntax.lexer import Token
from gdl.syntax.place import LINE_ENDS, Place
from gdl.syntax.problems import explain, no_section

# What is left of a section without a line that has a mistake, so that the mistakes of the other lines are told too.


def without_line(source: Source, tokens: list[Token], token: Token) -> list[Token] | None:
    """The tokens without the line in which a mistake stands, and without the block below it; None if nothing is left to
    read."""
    index = next((i for i, t in enumerate(tokens) if t is token), len(tokens) - 1)
    start = Place(source, tokens, index, set()).line_start
    end = index
    while end < len(tokens) and tokens[end].kind not in LINE_ENDS:
        end += 1
    if start == 0 or end == len(tokens) or tokens[end].kind == "_DEDENT":
        return None
    end = _block_end(tokens, end)
    while end < len(tokens) and tokens[end].text in ("else", "refused"):  # belong to what is left out
        while tokens[end].kind not in LINE_ENDS:
            end += 1
        end = _block_end(tokens, end)
    rest = tokens[:start] + tokens[end:]
    if tokens[start - 1].kind == "_INDENT" and (end == len(tokens) or tokens[end].kind == "_DEDENT"):
        return without_line(source, tokens, tokens[start - 1])  # nothing is left of the block
    return rest


def _block_end(tokens: list[Token], end: int) -> int:
    """The number of the token after the line end at `end` and the block below it."""
    depth = 0
    while end < len(tokens):
        depth += {"_INDENT": 1, "_DEDENT": -1}.get(tokens[end].kind, 0)
        end += 1
        if depth == 0:
            break
    return end


# Games of other programs, known by how their files begin, so that one message says what such a file is.

_LEADING = r"(?:\s|//[^\n]*\n|;[^\n]*\n|\#[^\n]*\n)*"  # blanks and comments, also those of other languages
_ANEW = "write its rules anew: gdl guide first-game"
_AS_TREE = "write its tree anew: gdl guide trees"
_XML = r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?"
_FORMATS = (  # how the files begin, with the first line of what they say in brackets; what they are, and what to do
    (_XML + r"(<gambit:document\b[^\n]*)", "a workspace of Gambit (.gbt)", "save the game with Gambit as .efg or .nfg"),
    (_XML + r"(<gte\b[^\n]*)", "a game of Game Theory Explorer (.xml)", _AS_TREE),
    (_LEADING + r"((?:node|leaf|infoset) /.*)", "a tree of LiteEFG (its .game)", _AS_TREE),
    (r"\s*(\w+\(\w+=[^\n]*\))\s*\Z", "a game string of OpenSpiel",
     "gdl games lists the games that come with gdl; of others, write the rules: gdl guide first-game"),
    (_LEADING + r"((?:dtmc|ctmc|mdp|pomdp|pta|smg|csg|tsg|module|const|global)\b.*)(?=(?s:.*)\bendmodule\b)",
     "a model of PRISM (.prism, .nm, .pm)", _ANEW),
    (_LEADING + r"(\(game\s+\".*)(?=(?s:.*)\(equipment\s*\()", "a game description of Ludax (.ldx)", _ANEW),
    (_LEADING + r"(\((?:game|match|define)\s+\".*)", "a game description of Ludii (.lud)", _ANEW),
    (_LEADING + r"((?:\(\s*(?:role|init|<=|base|input|legal|next|goal|terminal)[\s(]|role\(\w+\)).*)",
     "a description in the Game Description Language of general game playing (.kif, .gdl)", _ANEW),
)  # fmt: skip


def foreign_file(source: Source) -> Problem | None:
    """The problem of a file that is plainly written for another program; None for any other file."""
    for pattern, what, help in _FORMATS:
        if found := re.match(pattern, source.text):
            return Problem(f"this is {what}, and gdl reads .game files", Span(source, *found.span(1)), help=help)
    return None


QUESTION = "question"  # what its text is called in messages
_QUESTIONS = (
    "A question is one of: NAMES can force COND, NAMES can avoid COND, COND reachable, always COND, "
    "probability COND by NAMES, probability COND at random; 'within 12' counts plies."
)
_SLIPS = (  # of questions: the text, with the place in brackets, what is wrong with it, and what to write
    (r".* can (?!force\b|avoid\b)(\w+)", "this is no question", "write 'can force' or 'can avoid'"),
    (r"(reachable)\b", "this is no question", "write it at the end: COND reachable"),
    (
        r".* can (?:force|avoid) .*\b(at random)$",
        "in this question everybody plays their best",
        "ask for the probability: probability COND at random",
    ),
    (r"probability (\{.*\})", "an event stands without braces", "take them out: probability COND by NAMES"),
    (r".* (in) \d+$", "this does not say within how many plies", "write 'within'"),
    (
        r"(probability\b(?!.* (?:by \w|at random\b)).*)",
        "this does not say who plays for it",
        "write behind it: by NAMES, or: at random",
    ),
    (
        r"(.* can (?:force|avoid))$",
        "this does not say what",
        "write a condition or an end behind it: win NAME, draw, the end",
    ),
    (r"(\w+ and [\w, ]+) can ", "commas part the players of a question", "write: NAME, NAME can …"),
    (r".* (within\b(?! \d).*)", "this does not say within how many plies", "write a whole number behind it: within 12"),
    (
        r".* ((?:an? )?(?:win|lose|loss)\b)(?! \w)",
        "this does not say who wins or loses",
        "write: win NAME, or: lose NAME",
    ),
)
READ_AGAIN = 2  # texts that are soon asked for once more, as by an editor
LONG_SECTION = 20_000  # tokens; in a longer section only the first mistake of form is told

# Rules and aliases whose class has another name than theirs; every other rule is named like its class.
_CLASSES: dict[str, type[syntax.Syntax]] = {
    "seats": syntax.Seats, "or_": syntax.Or, "and_": syntax.And, "not_": syntax.Not, "none": syntax.None_,
    "true": syntax.True_, "false": syntax.False_, "terminal": syntax.TerminalTest, "draw_game": syntax.DrawnGame,
    "try_": syntax.Try, "with_": syntax.With, "profile": syntax.MatrixProfile,
}  # fmt: skip
# Rules that are only lists of their parts.
_LISTS = frozenset(
    """
    parameters indices lets typed_parameters choices chosen modifiers block binders arguments settings nothing
    nodes branches words amounts names paths conditions drawn asked targets values
    """.split()
)
_RELATIONS = {"equal": "=", "in_": "in", "not_in": "not in"}


@lru_cache(READ_AGAIN)
def parse(text: str, name: str = "<text>", title: str = "") -> syntax.Description:
    """The sections of a game file, in its order.

    `name` is shown in messages; `title` is the game's name for want of a `game` line.
    Raises GameError with every mistake of spelling and form.
    """
    source = source_of(name, text)
    sections, problems = parse_sections(source)
    if problems:
        stranger = foreign_file(source)
        raise GameError(stranger or problems)
    return syntax.Description(Span(source, 0, len(text)), title or name, tuple(sections))


@lru_cache(1)
def source_of(name: str, text: str) -> Source:
    """The source of a file: the same object for the same text, so that its words are read once (`lexer.sections`)."""
    return Source(name, normalize_text(text))


def parse_sections(source: Source) -> tuple[list[Any], list[Problem]]:
    """The sections of a game file in its order, those with mistakes as far as they can be read, and the mistakes."""
    if len(source.text) > (most := most_bytes(source.text)):
        raise fault(f"the file is larger than {most:,} characters", Span(source, 0, 0), limits.LESS_SOURCE)
    groups, problems = lexer.sections(source)
    if not groups and not problems:
        help = "write rules, a tree or a matrix: see gdl guide"
        problems = [Problem("the file is empty", Span(source, 0, 0), help=help)]
    sections: list[Any] = []
    starts = [tokens[0].start for tokens in groups]
    for tokens, start, end in zip(groups, starts, [*starts[1:], len(source.text)], strict=False):
        if len(problems) > limits.PROBLEMS:
            break
        try:
            sections += _actions_beside(_section(source, tokens))
        except GameError as error:
            problems = _merge_problems(problems, error, start, end)
            if isinstance(error, BrokenSection):
                with suppress(GameError):
                    sections += _actions_beside(checked_depth(error.rest))
    return sections, problems


def _actions_beside(section: Any) -> list[Any]:
    """The section as a list; for a phase the phase without its actions, followed by these actions. Phases within a
    variant are taken apart in it."""
    if isinstance(section, syntax.Variant):
        return [section.copy_with(sections=tuple(s for inner in section.sections for s in _actions_beside(inner)))]
    if not isinstance(section, syntax.Phase):
        return [section]
    actions = [part.copy_with(phase=section.name) for part in section.parts if isinstance(part, syntax.Action)]
    return [section.copy_with(parts=tuple(p for p in section.parts if isinstance(p, syntax.Follow))), *actions]


def normalize_text(text: str) -> str:
    """The text with one kind of line end, no byte order mark, and accents joined to their letters."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _merge_problems(problems: list[Problem], error: GameError, start: int, end: int) -> list[Problem]:
    """The problems of a file's words, with those of one section's form (`error`). A wrong word breaks the form of its
    section, so form problems count only if the section has no wrong words; but if it is no section at all, only that is
    reported."""
    inside = [p for p in problems if p.span is not None and start <= p.span.start <= end]
    if isinstance(error, NoSection):
        return [*(p for p in problems if p not in inside), *error.problems]
    return problems if inside else [*problems, *error.problems]


def expression(source: Source, start: int, end: int) -> Any:
    """The expression that stands at [start, end) of a source, such as the `{a}` in the text of an action."""
    tokens = lexer.expression_tokens(source, start, end)
    if not tokens[:-1]:
        help = "write an expression in them, as in {n}, or take them out"
        raise fault("there is nothing in these braces", Span(source, start - 1, end + 1), help)
    try:
        found = _read(source, tokens[:-1], "expr")
    except UnexpectedToken as error:
        raise GameError(explain(source, tokens, error)) from None
    return checked_depth(found)


def question(text: str) -> Any:
    """The question of best play in a text. Raises GameError where the text is no such question."""
    source = Source(QUESTION, normalize_text(text))
    tokens = lexer.question_tokens(source)
    try:
        if lexer.is_question(tokens):
            return checked_depth(_read(source, tokens[:-1], "question"))
        whole = Span(source, 0, len(source.text.rstrip()))
        problem = Problem("this is no question", whole, _QUESTIONS, "write it as one of these")
    except UnexpectedToken as error:
        problem = explain(source, tokens, error)
    for slip, message, help in _SLIPS:
        if found := re.match(slip, source.text.rstrip()):
            problem = Problem(message, Span(source, *found.span(1)), _QUESTIONS, help)
            break
    raise GameError(problem)


class NoSection(GameError):
    """Raised for lines at the top of a file that belong to no section."""


class BrokenSection(GameError):
    """Raised for a section with mistakes, with the `rest` of it: the syntax of its other lines."""

    def __init__(self, problems: list[Problem], rest: Any):
        super().__init__(problems)
        self.rest = rest


def _section(source: Source, tokens: list[Token]) -> Any:
    """The syntax of a section. After a mistake the parser continues without the line, to report further mistakes; one
    that then appears further up is a consequence and is dropped."""
    if not tokens[0].kind.startswith("_") or tokens[0].text not in lexer.SECTIONS:
        raise NoSection(no_section(source, tokens[0], first=True))
    problems: list[Problem] = []
    rest: list[Token] | None = tokens
    while rest is not None:
        try:
            found = _read(source, rest, "section")
        except UnexpectedToken as error:
            problem = explain(source, rest, error)
            if problems and problem.order() < problems[-1].order():
                break
            problems.append(problem)
            again = len(tokens) < LONG_SECTION and len(problems) < limits.PROBLEMS
            rest = without_line(source, rest, error.token) if again else None
        else:
            if problems:
                raise BrokenSection(problems, found)
            return checked_depth(found)
    raise GameError(problems)


def checked_depth(part: Any) -> Any:
    """The part unchanged, if its operations are nested no deeper than recursive functions can go; else a GameError is
    raised. A chain of 'and' or 'or' counts once, and explicit trees do not count, for they are handled in loops."""
    work: list[tuple[syntax.Syntax, int]] = [(part, 0)]
    while work:
        here, depth = work.pop()
        check_deadline()
        if depth > limits.OPERATIONS:
            message = f"more than {limits.OPERATIONS} operations are nested here"
            raise GameError(Problem(message, here.span, help="name parts of it with 'let' or 'define'"))
        if not isinstance(here, syntax.Tree):
            chain = type(here) if isinstance(here, syntax.And | syntax.Or) else None
            inner = syntax.parts(here)
            if depth < limits.OPERATIONS:  # where a word has room
                inner = [child for child in inner if type(child) is not syntax.Word]
            work += [(child, depth + (type(child) is not chain)) for child in inner]
    return part


def _read(source: Source, tokens: list[Token], start: str) -> Any:
    """The syntax of some tokens."""
    return lark_parser.parse(tokens, start, _records(source))


@lru_cache(1)
def _records(source: Source) -> lark_parser.Callbacks:
    """The functions that make the records of a source, from the leaves up, each of the class of its rule."""

    def word(token: Token) -> syntax.Word:
        return syntax.Word(Span(source, token.start, token.end), token.kind, token.text)

    def node(rule: str) -> lark_parser.Make:
        if rule in _LISTS:
            return lambda start, end, values: tuple(values)
        if rule in _RELATIONS:
            return lambda start, end, values: _RELATIONS[rule]
        if rule == "relation":
            return lambda start, end, values: values[0].text
        if rule == "factor":
            return lambda start, end, values: values[0]
        made = _class_of(rule)
        return lambda start, end, values: _make(made, Span(source, start or 0, end), values)

    return lark_parser.Callbacks(word, node)


@cache
def _class_of(rule: str) -> type[syntax.Syntax]:
    name = "".join(part.capitalize() for part in rule.split("_"))
    return _CLASSES.get(rule) or getattr(syntax, name)


def _make(cls: type[syntax.Syntax], span: Span, parts: list[Any]) -> syntax.Syntax:
    if not cls.rest:
        return cls(span, *parts)
    fields = len(cls.fields) - 2  # without the span and the field that takes the rest
    return cls(span, *parts[:fields], tuple(parts[fields:]))  # type: ignore[call-arg]

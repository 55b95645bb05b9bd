"""Text -> syntax: Lark's trees become the dataclasses of gdl.syntax, Lark's errors Problems in the words of games."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.visitors import Transformer_NonRecursive

from gdl import lexer, syntax, tables
from gdl.errors import GameError, Problem, Source, Span, nearest
from gdl.syntax_errors import explain

LARGEST = 1 << 20  # characters of a file
LONGEST = 200  # operators in one chain, so that no walk over an expression goes deeper

# Rules and aliases whose class has another name than theirs; every other rule is named like its class.
_CLASSES: dict[str, type[syntax.Syntax]] = {
    "seats": syntax.Seats, "or_": syntax.Or, "and_": syntax.And, "not_": syntax.Not, "none": syntax.None_,
    "true": syntax.True_, "false": syntax.False_, "terminal": syntax.TerminalTest, "draw_game": syntax.DrawnGame,
    "with_": syntax.With, "profile": syntax.MatrixProfile,
}  # fmt: skip
# Rules that are only lists of their parts.
_LISTS = frozenset(
    """
    parameters indices lets typed_parameters choices chosen modifiers block binders arguments settings nothing
    nodes branches words amounts names paths conditions
    """.split()
)
_RELATIONS = {"equal": "=", "in_": "in", "not_in": "not in"}


def parse(text: str, name: str = "<text>", title: str = "") -> syntax.Description:
    """The sections of a game file, in its order.

    `name` is shown in messages; `title` is the game's name for want of a `game` line.
    Raises GameError with every mistake of spelling and form, at most one a section.
    """
    source = Source(name, text)
    if len(text) > LARGEST:
        raise GameError(Problem(f"{name} is longer than {LARGEST} characters", help="split the game, or generate less"))
    groups, problems = lexer.sections(source)
    if not groups and not problems:
        problems.append(Problem(f"{name} is empty", help="write rules, a tree or a matrix: see gdl guide"))
    sections = []
    for tokens in groups:
        try:
            sections.append(_section(source, tokens))
        except GameError as error:
            if not _within(problems, tokens):
                problems += error.problems
    if problems:
        raise GameError(problems)
    return syntax.Description(Span(source, 0, len(text)), title or name, tuple(sections))


def expression(source: Source, start: int, end: int) -> Any:
    """The expression that stands at [start, end) of a source, such as the `{a}` in the text of an action."""
    return _tree_to_syntax(source, _run(source, lexer.expression_tokens(source, start, end)[:-1], "expr"))


def _section(source: Source, tokens: list[Token]) -> Any:
    if not tokens[0].type.startswith("_") or tokens[0].value not in lexer.SECTIONS:
        raise GameError(_no_section(source, tokens[0]))
    return _tree_to_syntax(source, _run(source, tokens, "section"))


def _run(source: Source, tokens: list[Token], start: str) -> Tree[Token]:
    try:
        return _parser().parse(tokens, start=start)
    except UnexpectedToken as error:
        raise GameError(explain(source, tokens, error)) from None


def _no_section(source: Source, token: Token) -> Problem:
    word = str(token.value)
    near = nearest(word, sorted(lexer.SECTIONS)) if word.isidentifier() else None
    return Problem(
        f"no section of a game file begins with '{word}'" if word else "a game file begins with a section",
        Span(source, token.start_pos or 0, token.end_pos or 0),
        note=f"Sections are {', '.join(sorted(lexer.SECTIONS))}; each starts at the left margin.",
        help=f"write '{near}'" if near else "indent the line if it belongs to the section above",
    )


def _within(problems: list[Problem], tokens: list[Token]) -> bool:
    """Whether a problem lies in the section: a mistake in a word breaks the form of its line too, and says enough."""
    start, end = tokens[0].start_pos or 0, tokens[-1].end_pos or 0
    return any(problem.span is not None and start <= problem.span.start <= end for problem in problems)


@cache
def _parser() -> Lark:
    return tables.load()


class _ToSyntax(Transformer_NonRecursive[Token, Any]):
    """Each node of Lark's tree, from the leaves up, as the class of its rule."""

    def __init__(self, source: Source):
        super().__init__()
        self.source = source

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        rule = str(data)
        parts = [self.word(child) if isinstance(child, Token) else child for child in children]
        if rule in _LISTS:
            return tuple(parts)
        if rule in _RELATIONS:
            return _RELATIONS[rule]
        if rule == "relation":
            return parts[0].text
        if rule == "factor":
            return parts[0]
        if meta.empty:
            span = Span(self.source, 0, 0)
        else:
            span = Span(self.source, meta.start_pos, max(meta.start_pos, meta.end_pos))
        return _make(_class_of(rule), span, parts)

    def word(self, token: Token) -> syntax.Word:
        return syntax.Word(Span(self.source, token.start_pos or 0, token.end_pos or 0), token.type, str(token.value))


@cache
def _class_of(rule: str) -> type[syntax.Syntax]:
    name = "".join(part.capitalize() for part in rule.split("_"))
    return _CLASSES.get(rule) or getattr(syntax, name)


def _make(cls: type[syntax.Syntax], span: Span, parts: list[Any]) -> syntax.Syntax:
    if not cls.rest:
        return cls(span, *parts)
    fields = len(cls.fields) - 2  # without the span and the field that takes the rest
    return cls(span, *parts[:fields], tuple(parts[fields:]))  # type: ignore[call-arg]


def _tree_to_syntax(source: Source, tree: Tree[Token]) -> Any:
    return _ToSyntax(source).transform(tree)

"""Text -> tokens: the words of a game file, with its indentation made visible.

Three steps: `_Scanner` splits the text into logical lines (inside brackets line ends do not count, and a line may go
on in the next: see `Line.continues`); `_kinds` says what each word of a line is, which depends on the section it stands
in, so that a tree may call an action `win` and a rule a variable `count`; `sections` adds the indentation. Each section
of the file becomes one run of tokens, so that a mistake in one hides none in the next.

- rules: the words of the language are reserved and `-` is an operator;
- `tree`, `matrix`, `expect`: numbers carry their sign, and nearly every word is a name;
- `setup`, `notation`: the lines below are a picture or a legend, passed on as they stand.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple

from gdl.errors import GameError, Problem, Source, Span, limits, merge_problems
from gdl.errors.deadline import check_deadline
from gdl.syntax.shapes import SLIPS

# Characters that make a text look otherwise than it is read.

_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # the property Bidi_Control of Unicode


def turning(source: Source, known: list[Problem]) -> list[Problem]:
    """The problems of characters that change the direction of writing, except at places of `known` ones. They make a
    text read differently from how it is shown, even within texts and comments (Boucher and Anderson, Trojan Source,
    2021)."""
    told = {problem.span.start for problem in known if problem.span}
    return [
        Problem(
            f"an invisible character turns the direction of writing here: {unicodedata.name(found[0])} "
            f"(U+{ord(found[0]):04X})",
            Span(source, found.start(), found.end()),
            help="take it out; letters that are written from right to left are so without it",
        )
        for found in _TURNS.finditer(source.text)
        if found.start() not in told
    ]


SECTIONS = frozenset(
    """
    game players parameters type board state define action chance resolve start setup notation position terminal
    evaluate variant utility discount claim tree matrix expect use before after phase look
    """.split()
)
YOUNG = frozenset("use before after discount phase look".split())  # matrices and lines in brackets may have such names
WORDS = frozenset(
    """
    and or not if then else for in mod div none true false where when as merge weight visible to from along
    reach of until
    """.split()
)
STATEMENTS = frozenset(
    "let require when if else for choose repeat stop rank next say forget attempt refused try".split()
)
DOING = frozenset(["draw"])  # where the name of a chance step follows
DEALING = frozenset(["deal", "ask"])  # where a value follows
GIVING = frozenset(["reward"])  # words of statements only where `to` follows
BEGINNING = STATEMENTS | DOING | DEALING | GIVING  # first words of lines in bodies
QUANTIFIERS = frozenset("exists forall count sum min max first those".split())
TURNS = {"everyone": 1, "after": 2, "before": 2}  # and their place in the line: next everyone, next p after mover,
_TURNING = {"next": 0, "start": 0, "ask": 1}  # or so many further: ask each p after mover
_ENDS = frozenset(  # kinds of the last words of a name, a value, or who learns of an action
    "NAME INT NUMBER STRING NONE TRUE FALSE NO_ACTIONS _RPAR _RSQB _RBRACE _MERGE _PUBLIC _UNSEEN".split()
)
LEARNING = {"public": _ENDS, "unseen": _ENDS, "seen": _ENDS, "by": {"_SEEN"}}  # and the kinds behind which they stand
LOOKING = frozenset("hide show draw mark colour".split())  # first words of the lines of `look`
OUTCOMES = frozenset(["win", "lose", "draw", "pay", "each"])
CONTINUING = frozenset(["and", "or", "then"])  # a line that begins with one of them goes on with the line before,
RELATIONS = frozenset(["=", "!=", "<", "<=", ">", ">="])  # as does one that begins with one of these
TREE_WORDS = frozenset(["in", "eval", "utility", "chance"])
ABILITIES = ("force", "avoid")  # what players can do by best play
QUESTION_WORDS = frozenset("can force avoid reachable always probability by within at random end win lose draw".split())
EXPECT_WORDS = frozenset(["at", "with", "after"])
NAMED = frozenset(["game", "players", "tree", "matrix", "use"])  # sections whose texts are names
HEADS = frozenset(["action", "chance"])  # sections whose first line may end in who learns of it
POSITION_WORDS = {  # second words of lines on positions, and on when they end play
    "position": ("requires", "keeps"), "notation": ("forgets",), "terminal": ("after actions",),
}  # fmt: skip
PICTURED = frozenset(["setup", "notation"])  # sections whose lines are passed on as they stand
LONGEST_TYPE = 40  # words of the elements of a sequence, at most, before `up to`
EXPLICIT = ("tree", "matrix")  # sections that are the game itself, written out
LITERAL = frozenset(["tree", "matrix", "utility", "expect"])  # sections whose numbers carry their sign

PUNCTUATION = {
    ":=": "_ASSIGN", "->": "_ARROW", "..": "_DOTS", "!=": "REL", "<=": "REL", ">=": "REL", ">": "REL", "<": "LT",
    "=": "_EQUALS", "+": "PLUS", "-": "MINUS", "*": "STAR", "/": "SLASH", "(": "_LPAR", ")": "_RPAR", "[": "_LSQB",
    "]": "_RSQB", "{": "_LBRACE", "}": "_RBRACE", ",": "_COMMA", ":": "_COLON", "?": "_QUESTION", ".": "_DOT",
    "&": "_AMPERSAND",
}  # fmt: skip
CLOSERS = {"(": ")", "[": "]", "{": "}"}
CHECKED = ("INT", "NUMBER", "mark")  # kinds of words that can be wrong by themselves

_TO_LINE_END = ('"', "'", "“", "„", "‘", "«", "//", "/*")  # what begins here would only be misread

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\f]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<STRING>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<UNKNOWN>\?[^\W\d]\w*)
      | (?P<NUMBER>\d*\.\d+)
      | (?P<NAME>\d*[^\W\d]\w*(?:\.(?:Direction|Edge|directions|orthogonals|diagonals|forward|backward
            |(?:north|south)(?:east|west)?|east|west)\b)?)   # Point.directions, a word of a board
      | (?P<INT>\d+)
      | (?P<slip>===?|=>|=<|<>|&&|\|\||[-+*/]=|\*\*|\.\.\.|//|/\*|[—–−]>)
      | (?P<mark>(?<=[\w)\]])\.(?=[^\W\d])|:=|->|\.\.|!=|<=|>=|[-+*/=<>()\[\]{},:?&])
    """,
    re.VERBOSE,
)
_NAMING = re.compile(  # the text behind `as`, in whose braces may be texts
    r'(?P<STRING>"(?:[^"\\\n{]|\\[^\n]|\{(?:[^{}"\n]|"[^"\\\n]*"|\{[^{}\n]*\})*\}|\{)*")'
)
# A text in the quotation marks of other languages.
_QUOTED = re.compile(r"(?<!\w)([“”„«»‘’'])([^\n\"'\\“”„«»‘’]*)[“”«»‘’']")
_WORD_END = re.compile(r"\w")
_OUTCOME = re.compile(rf"[ \t]*(?:{'|'.join(sorted(OUTCOMES))})\b")
_WITHIN = re.compile(r"[\w)][\w(]")  # what stands around the dots of a range
_SECTION_START = re.compile(rf"(?:{'|'.join(sorted(SECTIONS - YOUNG))})\b")  # at the left margin, also in brackets
_MARGIN = re.compile(r"(?:[ \t\r\f]*(?:#[^\n]*)?\n)*([ \t\r\f]*)")  # blank lines, then the indentation of a line


class _Stretch(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Token(_Stretch):
    """A stretch of the text: a word, a number, a mark. Its kind is that of the scanner, then that of the grammar."""

    __slots__ = ()
    type = property(itemgetter(0))  # the names by which Lark's parser asks, of the last token for its place as well
    start_pos, end_pos = property(itemgetter(2)), property(itemgetter(3))
    line = column = end_line = end_column = None

    def span(self, source: Source) -> Span:
        return Span(source, self.start, self.end)


@dataclass
class Line:
    """A logical line: its indentation in columns and its words."""

    indent: int
    words: list[Token]
    tabs: bool = False  # whether its indentation has any

    @property
    def head(self) -> str:
        return self.words[0].text if self.words[0].kind == "NAME" else ""

    def span(self, source: Source) -> Span:
        return Span(source, self.words[0].start, self.words[-1].end)

    def continues(self, before: Line) -> bool:
        """True if this line belongs to the one before it, and is indented: it begins with `and`, `or`, `then` or a
        relation, or with an `else` for an open `then`; or the line before ends in a comma, `and`, `or`, a quantifier's
        colon, or the sign before a value (but `define … =` opens a block)."""
        if self.indent == 0:
            return False
        texts = [word.text for word in before.words]
        open_then = self.head == "else" and texts.count("then") > texts.count("else")
        awaits = texts[-1] in (",", ":", ":=", "and", "or") or (texts[-1] == "=" and before.head != "define")
        return self.head in CONTINUING or self.relates or open_then or awaits

    @property
    def relates(self) -> bool:
        """True if the line begins with a relation such as `=`, which needs something before it."""
        first = self.words[0]
        negated = self.head == "not" and [word.text for word in self.words[1:2]] == ["in"]
        return self.head == "in" or negated or (first.kind == "mark" and first.text in RELATIONS)


@dataclass
class _Step:
    """A step over a source, which notes the problems that it meets."""

    source: Source
    problems: list[Problem]

    def problem(self, message: str, place: Token | Line, help: str) -> None:
        self.problems.append(Problem(message, place.span(self.source), help=help))


@dataclass
class _Scanner(_Step):
    """The first step: text to logical lines."""

    open: list[Token] = field(default_factory=list)
    explicit: bool = False  # a tree or a matrix stands here or above
    count: int = 0  # words so far

    def lines(self) -> Iterator[Line]:
        text, position = self.source.text, 0
        picture: int | None = None  # of the section whose picture we are in: its indentation,
        drawn: int | None = None  # and that of the first line below it, which counts for all: pictures may slant
        pending: Line | None = None
        section = ""
        while (margin := _MARGIN.match(text, position)) and margin.end() < len(text):
            start = margin.end()
            if text[start] == "#":
                break  # a comment on the last line, without a line end
            indent, tabs = len(margin[1].expandtabs(8)), "\t" in margin[1]
            self.explicit |= indent == 0 and text.startswith(EXPLICIT, start)
            if picture is not None and indent > picture:
                end = _line_end(text, start)
                drawn = indent if drawn is None else drawn
                line, position = Line(drawn, [Token("PICTURE", text[start:end].rstrip(), start, end)], tabs), end + 1
            else:
                words, position = self.words(start)
                line = Line(indent, words, tabs)
                picture, drawn = (indent if line.words and line.head in PICTURED else None), None
            if line.indent == 0 and line.words:
                section = line.head
            if pending and line.words and section not in LITERAL and line.continues(pending):
                first = line.words[0]
                kind = f"_LINE_{first.text.upper()}" if line.head in ("and", "or") else first.kind
                pending.words += [first._replace(kind=kind), *line.words[1:]]
            elif line.words:
                if pending:
                    yield pending
                pending = line
        if pending:
            yield pending

    def words(self, position: int) -> tuple[list[Token], int]:
        """The words of one logical line, and where the next line begins."""
        text = self.source.text
        words: list[Token] = []
        while position < len(text):
            naming = text[position] == '"' and bool(words) and words[-1].text == "as"
            match = _NAMING.match(text, position) if naming else None
            match = match or _TOKEN.match(text, position)
            beside = match is not None and match[0] == "&" and bool(words) and words[0].text == "players"
            if match is None or match.lastgroup == "slip" or (match[0] == "&" and not beside):
                position = self.stray(position, match[0] if match else text[position])
                continue
            kind, start, position = str(match.lastgroup), position, match.end()
            if kind == "newline" and (not self.open or _SECTION_START.match(text, position)):
                break
            if kind not in ("newline", "blank"):
                words.append(word := Token(kind, match[0], start, position))
                self.count += 1
                check_deadline()
                if self.count > limits.WORDS:
                    message = f"a file has at most {limits.WORDS:,} words, numbers and signs"
                    raise GameError(Problem(message, word.span(self.source), help=limits.LESS_SOURCE))
                if kind in CHECKED:
                    self.check(word)
        for word in self.open[-1:]:
            self.problem(f"this '{word.text}' is never closed", word, f"add the missing '{CLOSERS[word.text]}'")
        self.open.clear()
        return words, position

    def check(self, word: Token) -> None:
        most = limits.EXPLICIT_DIGITS if self.explicit else limits.DIGITS
        if word.kind in ("INT", "NUMBER") and sum(c.isdigit() for c in word.text) > most:
            self.problem(f"a number has at most {most} digits", word, "scale the numbers down")
        elif word.text in CLOSERS and word.kind == "mark":
            self.open.append(word)
            if len(self.open) > limits.NESTING and not self.explicit:
                raise GameError([*self.problems, too_deep(word.span(self.source))])
        elif word.text in CLOSERS.values() and word.kind == "mark":
            self.close(word)

    def close(self, word: Token) -> None:
        if not self.open:
            self.problem(f"this '{word.text}' closes nothing", word, "take it out, or open its bracket")
            return
        opened = self.open.pop()
        if CLOSERS[opened.text] != word.text:
            if (opened.text, word.text) == ("{", "]") and _WORD_END.match(self.source.text, opened.start - 1):
                message = "this '{' behind a name cannot open what a ']' closes"  # an index, not a set
                self.problem(message, opened, "write '['")
                return
            line = self.source.position(opened.start)[0]
            wanted = CLOSERS[opened.text]
            message = f"this '{word.text}' cannot close the '{opened.text}' of line {line}"
            self.problem(message, word, f"write '{wanted}'")

    def stray(self, position: int, sign: str) -> int:
        """Report a sign that the language does not have. Returns where to go on: after the sign, or at the end of the
        line if a text was left open."""
        if quoted := _QUOTED.match(self.source.text, position):
            whole = Token("", quoted[0], position, quoted.end())
            self.problem("a text stands in straight double quotes", whole, f"write '\"{quoted[2]}\"'")
            return quoted.end()
        message, help = (
            f"'{sign}' is not a sign of the language",
            SLIPS.get(sign, "take it out, or write what it stands for"),
        )
        if sign == "=>" and _OUTCOME.match(self.source.text, position + 2):
            help = "write '->'"
        if "a range" in help and _WITHIN.match(
            self.source.text[:position][-1:] + self.source.text[position + len(sign) :]
        ):
            help = "write '..'"
        if sign == "//" and not self.source.text[self.source.text.rfind("\n", 0, position) + 1 : position].strip():
            help = "write '#'"
        if sign == "." and re.search(r"\w\.[^\W\d]", self.source.text[max(0, position - 1) : position + 2]):
            help = "write the name behind it alone"
        if sign == '"':
            message = "this text is never closed"
        elif unicodedata.category(sign[0])[0] in "ZC":
            name = unicodedata.name(sign, "a control character")
            message, help = f"an invisible character stands here: {name} (U+{ord(sign):04X})", "write a plain blank"
        self.problem(message, Token("", sign, position, position + len(sign)), help)
        return _line_end(self.source.text, position) if sign in _TO_LINE_END else position + len(sign)


def logical_lines(source: Source) -> list[Line]:
    """The logical lines of a text whose words are known to be right."""
    return list(_Scanner(source, []).lines())


@lru_cache(1)  # whoever parses a text may want its words, too
def sections(source: Source) -> tuple[list[list[Token]], list[Problem]]:
    """The tokens of each section of the file, and the problems of its words. Raises GameError at once only if brackets
    or blocks are nested too deep."""
    problems: list[Problem] = []
    lines = list(_Scanner(source, problems).lines())
    problems += turning(source, problems)
    groups: list[list[Line]] = []
    for line in lines:
        matrix = bool(groups) and groups[-1][0].head == "matrix"
        opens = line.head in SECTIONS and (line.head not in YOUNG if matrix else line.indent == 0)
        if opens or not groups:
            groups.append([])
        groups[-1].append(line)
    return [_Section(source, problems, group).tokens() for group in groups], _each_once(problems, groups)


def _each_once(problems: list[Problem], groups: list[list[Line]]) -> list[Problem]:
    """The problems, with those that are repeated within a section joined."""
    starts = [group[0].words[0].start for group in groups]
    by_section: dict[int, list[Problem]] = {}
    for problem in problems:
        assert problem.span is not None
        by_section.setdefault(bisect_right(starts, problem.span.start), []).append(problem)
    return [problem for found in by_section.values() for problem in merge_problems(found)]


def expression_tokens(source: Source, start: int, end: int) -> list[Token]:
    """The tokens of an expression that stands inside a text, such as the `{a}` of an action's name."""
    problems: list[Problem] = []
    part = Source(source.name, source.text[:end])
    words, _ = _Scanner(part, problems).words(start)
    if problems:
        raise GameError(problems)
    tokens = [word._replace(kind=kind) for kind, word in _kinds(words, "define", False)]
    return [*tokens, Token("_NL", "", end, end)]


def question_tokens(source: Source) -> list[Token]:
    """The tokens of a question, which is all that the source holds."""
    problems: list[Problem] = []
    words, end = _Scanner(source, problems).words(0)
    problems += turning(source, problems)
    if problems:
        raise GameError(problems)
    return [*(word._replace(kind=kind) for kind, word in question_kinds(words)), Token("_NL", "", end, end)]


def is_question(words: list[Token]) -> bool:
    """True if the words after `expect` are a question of best play, rather than a quantity with its value."""
    texts = [word.text for word in words]
    asks = any(text == "can" and after in ABILITIES for text, after in pairwise(texts)) or "reachable" in texts[1:]
    return asks or (texts[:1] in (["always"], ["probability"]) and texts[1:2] not in ([], [""], ["="]))


def question_kinds(words: list[Token]) -> Iterator[tuple[str, Token]]:
    """The words of a question with their kinds: those that they have in rules, except for a few words that are reserved
    where they can stand in a question."""
    kinds = list(_kinds(words, "question", False))
    texts = [word.text for word in words]
    last, depth = "", 0
    for (kind, word), after in zip(kinds, [*kinds[1:], ("_NL", Token("", "", 0, 0))], strict=False):
        depth += (word.text in CLOSERS) - (word.text in CLOSERS.values())
        if kind == "NAME" and depth == 0 and last != "_OMITTED":
            kind = _question_kind(kind, word.text, last, *after, texts)
        elif last == "_OMITTED":
            kind = "END" if word.text == "end" else "RANDOM"
        last = kind
        if kind != "_OMITTED":
            yield kind, word


def _question_kind(kind: str, text: str, last: str, after: str, following: Token, texts: list[str]) -> str:
    """The kind of a name in a question, from what stands before and after it."""
    opens = last in ("", "FORCE", "AVOID", "_ALWAYS", "_PROBABILITY")
    closes = following.text in ("", "within", "reachable", "by", "at", "after", "with")
    likely = texts[0] == "probability"
    fits = {
        "can": following.text in ABILITIES, "force": last == "_CAN", "avoid": last == "_CAN",
        "always": last == "", "probability": last == "", "reachable": bool(last) and closes,
        "within": after in ("INT", "_NL"), "by": likely and after == "NAME",
        "win": opens and after == "NAME", "lose": opens and after == "NAME", "draw": opens and closes,
        "at": bool(last) and after == "NAME", "after": after == "STRING", "with": bool(last) and after == "NAME",
    }  # fmt: skip
    if (text == "the" and following.text == "end" and opens) or (
        likely and text == "at" and following.text == "random" and "by" not in texts
    ):
        return "_OMITTED"
    if not fits.get(text):
        return kind
    return text.upper() if text in ("force", "avoid", "win", "lose", "draw") else f"_{text.upper()}"


@dataclass
class _Section(_Step):
    """The third step: the lines of one section to tokens, with _NL, _INDENT and _DEDENT for the layout."""

    lines: list[Line]

    def tokens(self) -> list[Token]:
        name = self.lines[0].head
        if name == "matrix":
            for line in self.lines[1:]:
                line.indent = self.lines[0].indent + 1
        else:
            self.check_tabs()
        out: list[Token] = []
        indents = [self.lines[0].indent]
        mode = name
        phase = 0  # how many blocks are open where the head of the last phase stands
        for line, following in zip(self.lines, [*self.lines[1:], None], strict=True):
            opens = line is self.lines[0] or (name == "variant" and indents[1:] == [line.indent])
            opens = (opens and line.head in SECTIONS) or (phase == len(indents) - 1 > 0 and line.head == "action")
            mode = line.head if opens else mode
            if opens and not 0 < phase < len(indents):
                phase = len(indents) if mode == "phase" else 0
            self.check_names(line, mode)
            if mode == "expect" and is_question(line.words[1:]):
                kinds: Iterator[tuple[str, Token]] = chain([("_ASK", line.words[0])], question_kinds(line.words[1:]))
            else:
                kinds = _kinds(line.words, mode, opens)
            if line.head == "try" and not (following and following.indent > line.indent):
                kinds = ((kind.replace("_TRY", "NAME"), word) for kind, word in kinds)  # a procedure of this name
            kinds = _learning(kinds) if opens and mode in HEADS else kinds
            kinds = iter(_one_by_one(list(kinds))) if mode == "state" and not opens else kinds
            out += [word if word.kind == kind else Token(kind, *word[1:]) for kind, word in kinds]
            out += self.ending(line, following, indents)
        return out

    def check_names(self, line: Line, mode: str) -> None:
        """Report a name in quotes with nothing in it, and a `.` inside a name."""
        for word in line.words if mode in NAMED | LITERAL else ():
            if word.kind == "NAME" and "." in word.text:
                at = word.start + word.text.index(".")
                self.problem("'.' is not a sign of the language", word._replace(start=at, end=at + 1), SLIPS["."])
            if mode in NAMED and word.kind == "STRING" and not word.text[1:-1].strip():
                self.problem("a name is not empty", word, "write something between the quotes")

    def check_tabs(self) -> None:
        """Report a section that is indented with tabs in some lines and without in others: editors show tabs in
        different widths."""
        indented = [line for line in self.lines if line.indent > self.lines[0].indent]
        for line in indented:
            if line.tabs != indented[0].tabs:
                here, above = ("tabs", "blanks") if line.tabs else ("blanks", "tabs")
                message = f"this line is indented with {here}, those above it with {above}"
                self.problem(message, line, "indent with blanks alone")
                return

    def ending(self, line: Line, following: Line | None, indents: list[int]) -> list[Token]:
        end = line.words[-1].end
        indent = indents[0] if following is None else following.indent
        if indent > indents[-1]:
            indents.append(indent)
            if len(indents) > limits.NESTING and following and self.lines[0].head != "tree":
                raise GameError([*self.problems, too_deep(following.span(self.source))])
            return [Token("_INDENT", "", end, end)]
        tokens = [Token("_NL", "", end, end)]
        while indent < indents[-1] and len(indents) > 1:
            indents.pop()
            tokens.append(Token("_DEDENT", "", end, end))
        if following and indent != indents[-1]:
            above = self.lines[: self.lines.index(following)]
            if next(each for each in reversed(above) if each.indent <= self.lines[0].indent).head not in SECTIONS:
                return tokens  # that line is the mistake
            message = "this line is indented like no line of the blocks around it"
            self.problem(message, following, "align it with the lines of its block")
        return tokens


def _kinds(words: list[Token], mode: str, opens: bool) -> Iterator[tuple[str, Token]]:
    """The second step: the words of a line with their kinds, in a section of the name `mode`; `opens` is True for the
    line that opens the section."""
    if mode in LITERAL:
        words = _bare_probabilities(join_signs(words))
    arrow = sets = False
    asked = -1  # where the last name stands of those that `has` asks for
    open: list[bool] = []  # of each bracket: whether its commas separate what stands in it
    for index, word in enumerate(words):
        check_deadline()
        before = words[index - 1] if index else None
        after = words[index + 1] if index + 1 < len(words) else None
        text = word.text
        if word.kind == "mark":
            edge = text == "->" and _joins(words, index)
            arrow = arrow or (text == "->" and not edge)
            if text in CLOSERS:
                open.append(text != "(" or (before is not None and _ends_value(before)))
            elif text in CLOSERS.values():
                open[-1:] = []
            separates = bool(open) and open[-1]
            if text == "," and index == asked + 1 and not separates and _goes_on(words[index + 1 : index + 3]):
                asked = index + 1
                yield "_ALSO", word
            elif edge:
                yield "_EDGE", word
            elif text in PUNCTUATION:
                yield PUNCTUATION[text], word
        elif word.kind != "NAME":
            yield word.kind, word
        elif opens and (index == 0 or (index == 1 and _is_second_word(text, mode, after))):
            yield f"_{text.upper()}", word
        elif mode in LITERAL:
            sets = sets or (mode == "expect" and text == "with")
            yield _literal_kind(text, mode, sets), word
        elif mode == "look" and index == 0:
            yield f"_{text.upper()}" if text in LOOKING else "NAME", word
        elif text == "each" and mode == "evaluate" and index == 0:
            yield "_EACH", word
        elif text == "quiet" and mode == "evaluate" and index == 0 and after and after.text == ":":
            yield "_QUIET", word
        elif text == "if" and before and before.text == "else" and index == 1:
            continue  # `else if` is one word
        elif text == "actions" and before and (before.text == "no" or _ends_whole_actions(words, index)):
            continue  # so are `no actions` and `after actions`,
        elif text in ("turn", "start") and _is_turn_start(words, index - 1 - (text == "start")):
            continue  # and `at turn start`
        elif text == "has" and _asks_for_actions(before, after):
            asked = index + 1
            yield "_HAS", word
        else:
            yield _rule_kind(text, index == 0 and mode != "question", after, words, index, arrow), word


def _is_second_word(text: str, mode: str, after: Token | None) -> bool:
    """True if a word behind `position` or `notation` is one of the language, and no name of a position."""
    return text in POSITION_WORDS.get(mode, ()) and after is not None and after.kind != "STRING"


def _bare_probabilities(words: list[Token]) -> list[Token]:
    """The words of a line of a tree, in which a probability before a colon has lost the brackets around it:
    `rain (1 - ?p):` is `rain 1 - ?p:`. (In the grammar an opening bracket there is that of a player's children.)"""
    texts, dropped = [word.text for word in words], set()
    for end in (index for index, pair in enumerate(pairwise(texts)) if pair == (")", ":")):
        start = end - 1
        while start >= 0 and (words[start].kind in ("INT", "NUMBER", "UNKNOWN") or texts[start] == "-"):
            start -= 1
        if start >= 0 and texts[start] in CLOSERS and start < end - 1:
            dropped |= {start, end}
    return [word for index, word in enumerate(words) if index not in dropped]


def _one_by_one(kinds: list[tuple[str, Token]]) -> list[tuple[str, Token]]:
    """The words of a line of `state`; a declaration of several variables, `a, b: T`, becomes a declaration for each."""
    names: list[list[tuple[str, Token]]] = [[]]
    depth = 0
    for index, (kind, word) in enumerate(kinds):
        depth += (word.text in CLOSERS) - (word.text in CLOSERS.values())
        if depth == 0 and kind == "_COLON":
            own = [[*name, *kinds[index:]] for name in names if name]
            line = Token("_NL", "", kinds[-1][1].end, kinds[-1][1].end)
            return [part for each in own for part in (*each, ("_NL", line))][:-1] if len(own) == len(names) else kinds
        if depth == 0 and kind == "_COMMA":
            names.append([])
        else:
            names[-1].append((kind, word))
    return kinds


def _joins(words: list[Token], index: int) -> bool:
    """True if the arrow at this index is that of `along p -> q where …`, not one before an outcome."""
    return (
        index > 1 and words[index - 2].text == "along" and [w.text for w in words[index + 2 : index + 3]] == ["where"]
    )


def _learning(kinds: Iterable[tuple[str, Token]]) -> Iterator[tuple[str, Token]]:
    """The words of an action's head, in which words on who learns of the action (`public`, …) are reserved behind a
    value, where no name can stand."""
    before = ""
    for kind, word in kinds:
        if kind == "NAME" and before in LEARNING.get(word.text, ()):
            kind = f"_{word.text.upper()}"
        yield kind, word
        before = kind


def _literal_kind(text: str, mode: str, sets: bool) -> str:
    """The kind of a word in a tree, a matrix or an expectation: one of the few words reserved there, or a name. Where
    an expectation `sets` parameters, none, true and false are values."""
    if sets and text in ("none", "true", "false"):
        return text.upper()
    if mode == "tree" and text == "chance":
        return "CHANCE"
    reserved = {"tree": TREE_WORDS, "utility": TREE_WORDS, "expect": EXPECT_WORDS}.get(mode, frozenset())
    return f"_{text.upper()}" if text in reserved else "NAME"


def _rule_kind(text: str, head: bool, after: Token | None, words: list[Token], index: int, arrow: bool) -> str:
    """The kind of a word in the rules: a reserved word, a word that is special only at such a place, or a name."""
    following = after.text if after else ""
    upper = text.upper()
    if (
        text in QUANTIFIERS
        and after
        and after.kind == "NAME"
        and [w.text for w in words[index + 2 : index + 3]] == ["in"]
    ):
        return "QUANTIFIER"
    if text == "no" and following == "actions":
        return "NO_ACTIONS"
    if after is not None and _ends_whole_actions(words, index + 1):
        return "AFTER_ACTIONS"
    if text == "at" and _is_turn_start(words, index):
        return "_AT_TURN_START"
    if text in ("from", "to") and (words[index - 1].text == "." or (words[0].text == "type" and following == ":")):
        return "NAME"  # a field of a record
    if text in ("set", "sequence") and following == "of":
        return f"_{upper}"
    if text == "record" and following == "(" and words[0].text == "type":
        return "_RECORD"
    if text == "up" and following == "to":
        type = words[max(0, index - LONGEST_TYPE) : index]
        return "_UP" if any(word.text == "sequence" for word in type) else "NAME"
    called = following == "(" and after is not None and words[index].end == after.start  # require (a) and b
    if head and text in STATEMENTS and following not in (":=", "[") and not called:
        return "_ELIF" if text == "else" and following == "if" else f"_{upper}"
    if _leads_to_phase(words, index, after):
        return f"_{upper}"
    if head and text in GIVING and not called and any(word.text == "to" for word in words[index + 2 :]):
        return f"_{upper}"
    drawing = words[0].text in DOING and len(words) > 1 and words[1].kind == "NAME"
    if drawing and ((head and words[1].text not in WORDS) or (text == "times" and after is None)):
        return f"_{upper}"
    if (head and text in DEALING and _begins_number(after, called)) or (text == "each" and words[0].text in DEALING):
        return f"_{upper}"
    if head and text == "forever" and following == "->":
        return "FOREVER"
    if arrow and text in OUTCOMES:
        return f"_{upper}" if text in ("pay", "each") else upper
    if TURNS.get(text) == index - _TURNING.get(words[0].text, len(words)):
        return upper
    if text in ("flipped", "rotated") and words[0].text == "board":
        return "MIRROR"
    if text in ("none", "true", "false", "mod", "div"):
        return upper
    return f"_{upper}" if text in WORDS else "NAME"


def _is_turn_start(words: list[Token], index: int) -> bool:
    """True if the words from this index on are `at turn start`."""
    return index > 0 and [word.text for word in words[index : index + 3]] == ["at", "turn", "start"]


def _ends_whole_actions(words: list[Token], index: int) -> bool:
    """True if the word at this index is the last of `terminal after actions`."""
    return index == 2 and [word.text for word in words[:3]] == ["terminal", "after", "actions"]


def _begins_number(word: Token | None, touches: bool) -> bool:
    """True if the word behind the first of a line begins how many things are dealt, or who is asked; `touches` is True
    for a bracket that belongs to a call."""
    if word is None or touches:
        return False
    return word.kind == "INT" or word.text == "(" or (word.kind == "NAME" and word.text not in WORDS)


def _leads_to_phase(words: list[Token], index: int, after: Token | None) -> bool:
    """True if the word is part of `next phase NAME` behind an arrow: `phase`, or the `next` before it."""
    text = words[index].text
    if text == "next":
        return index > 0 and words[0].text == "no" and after is not None and after.text == "phase"
    named = after is not None and after.kind == "NAME" and after.text not in TURNS
    return text == "phase" and index > 0 and words[index - 1].text == "next" and named


def _ends_value(word: Token) -> bool:
    """True if the word can be the last of a value."""
    return word.text in (")", "]") or (word.kind == "NAME" and word.text not in WORDS)


def _asks_for_actions(before: Token | None, after: Token | None) -> bool:
    """True if the word `has` stands between a value and an action's name, and so is not a name itself."""
    named = after is not None and after.kind == "NAME" and after.text not in WORDS
    return named and before is not None and _ends_value(before)


def _goes_on(words: list[Token]) -> bool:
    """True if the words after a comma begin with another action that `has` asks for: a plain name, not part of a longer
    expression."""
    plain = bool(words) and words[0].kind == "NAME" and words[0].text not in WORDS
    return plain and words[-1].text not in ("in", "(", "[", "..")


def join_signs(words: list[Token]) -> list[Token]:
    """The words, with signs and denominators joined to the numbers to which they belong."""
    out: list[Token] = []
    for word in words:
        touching = bool(out) and out[-1].end == word.start
        number = word.kind in ("INT", "NUMBER")
        if number and touching and out[-1].text in ("-", "−"):
            out[-1] = Token("NUMBER", "-" + word.text, out[-1].start, word.end)
        elif word.kind == "INT" and touching and out[-1].text == "/" and _follows_whole(out):
            upper = out[-2]
            out[-2:] = [Token("NUMBER", f"{upper.text}/{word.text}", upper.start, word.end)]
        else:
            out.append(word)
    return out


def _follows_whole(words: list[Token]) -> bool:
    """True if the last word directly follows, without a blank, a whole number (perhaps with a sign)."""
    return len(words) > 1 and words[-2].end == words[-1].start and words[-2].text.removeprefix("-").isdigit()


def too_deep(span: Span) -> Problem:
    return Problem(f"nested more than {limits.NESTING} deep", span, help="name the inner parts, or write them flatter")


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end

"""Games written at random: small rules that use every construct of the language, for engines to be held against.

A text is grown from lines with holes. `<number>` is any number, `<square>` a square, `<square?>` a square or none;
`<+square>` makes a name for a square, which what stands behind `~` may use. The deeper a hole lies, the sooner it is
filled by something that has none itself. Some of the texts are no game, and some games have faults: what the checker
and the interpreter say of them is what everyone must say.
"""

from __future__ import annotations

import random
import re

EXPRESSIONS = {  # kind -> ways to write one
    "number": """
        0 | 1 | 2 | 3 | turns | number(mover)
        <number> + <number> | <number> - <number> | <number> * <number> | (<number>) mod <few> | (<number>) div <few>
        min(<number>, <number>) | max(<number>, <number>) | abs(<number>) | number(<colour>) | number(<player>)
        (if <truth> then <number> else <number>)
        (count <+square> in <squares>:~ <truth>) | (count <+few> in 1..<few>:~ <truth>)
        (sum <+square> in <squares> where~ <truth>: <number>) | (sum <+few> in 1..<few>:~ <number>)
        (min <+square> in Square:~ <number>) | (max <+few> in 1..<few>:~ <number>)
        (max <+player> in Player:~ <number>)
        size(<squares>) | size(<colours>)
        times(<key>) | list[<few>] | (first <+few> in [3, 1, 2]:~ <truth> or true)
    """,
    "few": "1 | 2 | 3 | (if <truth> then 1 else 3)",  # an index
    "truth": """
        true | <number> <compare> <number> | <square?> = <square?> | <player?> = <player?> | <player?> != none
        <player?> in {none, <player>} | <colour?> not in {none, red}
        <colour?> <compare> <colour?> | <colour> < <colour> | <square> in <squares> | <colour> not in <colours>
        <truth> and <truth> | <truth> or <truth> | not (<truth>) | (if <truth> then <truth> else <truth>)
        (exists <+square> in <squares>:~ <truth>) | (forall <+square> in <squares>:~ <truth>)
        (exists <+player> in Player:~ <truth>) | (forall <+few> in 1..3:~ <truth>) | mark[<square?>] = <player?>
        (exists line in lines(Square, 2): forall <+square> in line:~ mark[<square>] = <player?>)
        (exists <+direction> in <directions>:~ mark[step(<square>, <direction>)] = <player>)
    """,
    "square": "a1 | b1 | a2 | at",
    "square?": """
        <square> | step(<square>, <direction>) | offset(<square>, 1, -1) | (if <truth> then <square?> else none)
        (first <+square> in <squares>:~ <truth>) | step(step(<square>, <direction>), <direction>)
        step(<square>, <direction>, <few>) | offset(<square>, <few>, 0 - <few>)
        (if <truth> then <square?> else <square?>)
    """,
    "squares": """
        (those <+square> in Square:~ <truth>) | {<square>} | neighbours(<square>) | neighbours(<square>, diagonals(Square)) | {a1, b2}
        (those <+square> in Square:~ <truth>) | (<squares>) + (<squares>) | (<squares>) - (<squares>)
        (<squares>) * (<squares>) | (sum <+square> in <squares>:~ neighbours(<square>))
        (reach <+square> from {<square>} along neighbours where~ <truth>)
        (reach z from {<square>} along y -> z where z in neighbours(y) and mark[z] = mark[y])
        (reach z from <squares> along y -> z where z in <squares> and (<truth>) and column(y) != column(z))
        (reach <+square> from <squares> along <directions> where~ <truth>) | (if <truth> then <squares> else <squares>)
    """,
    "list": "ray(<square>, <direction>) | between(<square>, <square>) | [a1, b1, a1]",
    "direction": "north | east | southwest",
    "directions": "orthogonals(Square) | diagonals(Square) | directions(Square) | {north, east}",
    "player": "mover | Ann | after(<player>) | before(<player>)",
    "player?": "<player> | mark[<square?>] | (if <truth> then <player> else none)",
    "colour": "red | green | blue",
    "colour?": "<colour> | Colour(<number>) | (first <+colour> in Colour:~ <truth>)",
    "depth?": "none | -2 | 1 | (first d in -2..2: d * d = turns) | (if <truth> then none else (<number>) mod 4 - 2)",
    "deal": "Deal(<player>, <colour?>, (<number>) mod 3 - 1) | Deal(mover, red, 0)",  # where there are sequences
    "deal?": "<deal> | (if <truth> then <deal> else none)",
    "colours": "{<colour>} | (those <+colour> in Colour:~ <truth>) | (<colours>) + (<colours>)",
    "compare": "= | != | < | <= | > | >=",
    "key": "mark | turns | <square?> | <number> | mark, mover | <truth>",
    "text": """
        {<number>} | {<truth>} | {<square?>} | {<colour?>} | {<squares>} | {if <truth> then "h" else "v"}
        {if <truth> then "<text>" else ""}
    """,
    "domain": """
        <+square>: Square~ | <+square>: <squares>~ | <+few>: 1..3~ | <+few>: 1..<few>~ | <+colour>: Colour~
        <+colour>: <colours>~ | <+player>: Player~ | <+square>: <list>~ | <+direction>: <directions>~
        <+square>: ray(<square>, <direction>) until~ mark[<square>] != none
    """,
    "event": "<colour> | <number> mod 3 | No | <square>",
    "hearer": "to all | to <player>",
    "then": """
        next mover | next <player> | next everyone | next roll | next roll
        next <+player> after mover where~ <truth> | next <+player> before mover where~ <truth>
    """,
}
VARIABLES = {  # declaration -> what it can be read and written by
    "low_1, low_2: 0..3 = 1": {"number": "low_1 | low_2", "": "low_1, low_2 := low_2, (<number>) mod 4"},
    "n: 0..7": {"number": "n", "": "n := (<number>) mod 8 | n := <number> | n := min(7, n + 1)"},
    "low: -3..4 = 1": {"number": "low", "": "low := (<number>) mod 8 - 3 | low := -low + 1"},
    "depth: (-3..2)?": {
        "truth": "<depth?> = <depth?> | <depth?> != <number> | (depth != none and depth < <number>) | depth = none",
        "number": "(if <truth> and depth != none then depth else <number>)",
        "depth?": "depth | (if <truth> then <depth?> else none)",
        "": "depth := <depth?> | depth := (<number>) mod 6 - 3 | depth := none",
    },
    "level[Square]: (-1..1)? = -1": {
        "truth": "level[<square?>] = none | level[<square?>] = <depth?> | (<depth?> != none and level[<square>] != none)",
        "number": "(sum <+square> in Square where~ level[<square>] != none: level[<square>])",
        "depth?": "level[<square?>] | (if <truth> then <depth?> else <depth?>)",
        "": "level[<square>] := <depth?> | level[<square>] := (<number>) mod 3 - 1 | level[<square>] := none",
    },
    "heap[1..3]: 0..4 = 2": {
        "number": "heap[<few>]",
        "": "heap[<few>] := (<number>) mod 5 | heap[<few>] := 0 | heap[1], heap[2] := heap[2], (<number>) mod 5",
    },
    "gold[Player]: 0..20 = 3": {"number": "gold[<player>]", "": "gold[<player>] := max(0, min(20, <number>))"},
    "on[Square]: Boolean": {"truth": "on[<square>]", "": "on[<square>] := <truth>"},
    "lit: Boolean = true": {"truth": "lit | not lit", "": "lit := <truth>"},
    "kind[Square]: Colour?": {"colour?": "kind[<square?>]", "": "kind[<square>] := <colour?> | kind[<square>] := none"},
    "hue: Colour": {"colour": "hue", "": "hue := <colour>"},
    "ko: Square?": {"square?": "ko", "truth": "ko = <square?>", "": "ko := <square?> | ko := none"},
    "seen: set of Square": {
        "squares": "seen",
        "": "seen := <squares> | seen := seen + {<square>} | seen := seen - <squares>",
    },
    "hand[Player]: set of Colour = {green}": {
        "colours": "hand[<player>] | hand[<player>] | hand[<player?>]",
        "": "hand[<player>] := <colours> | hand[mover] := hand[mover] - {<colour>}",
    },
    "lead: Player?": {"player?": "lead", "": "lead := <player?>"},
    "table[1..3, Colour]: 0..2": {
        "number": "table[<few>, <colour>]",
        "": "table[1, <colour>] := (<number>) mod 3 | table[2, <colour>] := 2 - table[1, <colour>]",
    },
    "pin: Point = 2": {
        "number": "number(pin)",
        "truth": "(pin = 2 or pin = 4) | distance(pin, 4) > <number>",
        "": "pin := step(pin, forward) | pin := step(if <truth> then pin else Point(4), backward)",
    },
}
SEQUENCES = {  # of which some games have these
    "deck: sequence of Colour up to 3 = [green, red]": {
        "number": "hues(deck, <colour?>) | hues(pile[<player>], blue) | size(deck) | (sum <+colour> in deck:~ <number>) | (count <+colour> in deck where~ <truth>: <truth>)",
        "colour?": "first(deck) | last(deck) | deck[<few>] | (first <+colour> in deck:~ <truth>)",
        "colours": "(those <+colour> in deck:~ <truth>)",
        "truth": """
            deck = [<colour>, <colour>] | deck != pile[<player>] | <colour?> in deck | <colour> in pile[<player>]
            (forall <+colour> in deck until~ <truth>: <truth>) | pile[<player>] = [] | last(pile[<player>]) = none
        """,
        "": """
            deck := [<colour>, <colour>] | deck := pile[<player>] | deck, pile[mover] := pile[mover], deck
            pile[<player>] := [] | deck := [blue]
        """,
    },
    "stack[Square]: sequence of Player up to 3": {
        "number": "size(stack[<square>]) | (sum <+player> in stack[<square>]:~ <number>)",
        "player?": "last(stack[<square?>]) | first(stack[<square>]) | stack[<square?>, <few>]",
        "truth": "<player> in stack[<square>] | stack[<square>] = [<player>] | stack[at] = stack[<square>]",
        "squares": "(those <+square> in Square:~ last(stack[<square>]) = <player?>)",
        "": "stack[<square>] := [<player>] | stack[<square>] := [] | stack[at] := stack[<square>]",
    },
    "offers: sequence of Deal up to 2": {
        "number": "size(offers)",
        "colour?": "last(offers).hue_of | offers[1].hue_of",
        "player?": "first(offers).by",
        "truth": "<deal> in offers | last(offers) = <deal?> | (exists <+deal> in offers:~ <truth>)",
        "deal?": "last(offers) | first(offers) | offers[<few>]",
        "": "offers := [<deal>] | offers := [] | offers := [<deal>, <deal>]",
    },
    "best, worst: Deal?": {
        "colour?": "best.hue_of | worst.hue_of",
        "truth": "best = worst | best in {none, <deal>} | best.by = <player?>",
        "deal?": "best | worst",
        "": "best := <deal?> | best := none | best.hue_of := <colour?> | best, worst := worst, best",
    },
    "kept[Player]: Deal": {
        "number": "kept[<player>].tall",
        "deal": "kept[<player>]",
        "": "kept[<player>] := <deal> | kept[mover].by := <player> | kept[<player>].tall := (<number>) mod 3 - 1",
    },
    "met: set of Deal": {
        "number": "size(met)",
        "truth": "<deal> in met | (exists <+deal> in met:~ <truth>)",
        "": "met := met + {<deal>} | met := met - {<deal>} | met := {}",
    },
    "won[Deal]: 0..2": {
        "number": "won[<deal>] | (count <+deal> in Deal:~ won[<deal>] > 1)",
        "": "won[<deal>] := (<number>) mod 3",
    },
    "pair: Pair": {
        "deal": "pair.one",
        "truth": "pair.two | pair = Pair(<deal>, <truth>)",
        "": "pair.one := <deal> | pair.one.tall := (<number>) mod 3 - 1 | pair := Pair(<deal>, <truth>)",
    },
    "deal: Deal = Deal(Ann, none, -1)": {
        "number": "deal.tall | (count <+few> in 1..3 where~ Deal(mover, red, <few> - 2) = deal: <truth>)",
        "colour?": "deal.hue_of",
        "player": "deal.by",
        "truth": "deal = Deal(<player>, <colour?>, (<number>) mod 3 - 1) | deal.hue_of = none",
        "deal": "deal",
        "": "deal := <deal> | deal.hue_of := <colour>",
    },
}
OF_SEQUENCES = """
define hues(cards: sequence of Colour, c: Colour?) = (count d in cards: d = c) + (if cards[1] = c then 3 else 0)
define cut(cards: sequence of Colour, onto: sequence of Colour)
    if size(cards) > 0 and size(onto) < 2
        push(onto, last(cards))
        pop(cards)
    if size(cards) > 1
        cards[1], cards[2] := cards[2], cards[1]
"""
PILES = "pile[Player]: sequence of Colour up to 2 = {red}"
ON_SEQUENCES = """
if size(deck) < 3/    push(deck, <colour>) | if deck != []/    pop(deck) | if size(deck) < 3/    insert(deck, 1, <colour?>)
if size(deck) in 1..2/    insert(deck, size(deck) + 1, <colour>) | if size(deck) > 1/    remove(deck, 2)
for <+colour> in deck~/{} | for <+colour> in pile[<player>]~/{} | if size(pile[mover]) < 2/    push(pile[mover], last(deck)) | remove(deck, <few>)
cut(deck, pile[<player>]) | cut(pile[<player>], pile[mover]) | cut(pile[<player>], deck)
for <+colour> in deck where~ size(deck) < 3/    push(deck, <colour>) | choose <+colour>: deck~ | deck[<few>] := <colour?>
if size(stack[at]) < 3/    push(stack[at], <player?>) | if stack[at] != []/    pop(stack[at]) | for <+player> in stack[<square>]~/{}
if size(offers) < 2/    insert(offers, 1, <deal>) | if size(offers) > 0/    remove(offers, 1) | choose <+deal>: offers~
let # = <deal> | for <+deal> in Deal where~ won[<deal>] = 0/{} | for <+deal> in met~/{}
"""
LARGE = """
<number> * 4001 | <number> * <number> + <number> | (<number> * 1000003) mod 1000000 | (<number> * <number>) mod 7
(<number> * 2000003) div 1000000 | (<number> - 5000000000) mod 1000 | -<number> * 3000000000 | (<number>) / 3 * 6
min(1000, <number> * 100000) | max(-1000000000, min(1000000000, <number>)) | (<number>) mod (<number> + 3000000000)
(if <number> > 2000000000 then <number> else <number>) | (sum <+few> in 1..9:~ <number> * 1000000000)
(max <+few> in 1..9:~ <number> * <number>) | (if <number> in 0..9 then <number> else 0)
"""
LARGE_VARIABLES = {  # of numbers whose products have more than 32 bits
    "seed: 0..999999 = 1": {
        "number": "seed",
        "": "seed := (seed * 4001 + <number>) mod 1000000 | seed := abs(<number>) mod 1000000",
    },
    "huge: -1000000000..1000000000 = 589314682": {
        "number": "huge",
        "": "huge := max(-1000000000, min(1000000000, <number>)) | huge := <number> div 1000 | let # = <number> * 9999",
    },
    "most: 0..2147483647 = 2147483647": {"number": "most", "": "most := abs(<number>) mod 2147483648"},
}
STATEMENTS = """
mark[<square>] := <player?> | mark[<square>] := none | let # = <number> | let # = <squares>
if <truth>/{} | if <truth>/{}/else/{} | if <truth>/{}/else if <truth>/{} | require <truth> | mark_all(<player?>)
for <+square> in <squares> where~ <truth>/{} | for <+few> in 1..<few>~/{} | for <+square> in <list>~/{}
for <+player> in Player~/{} | choose <domain> when <truth> | choose <domain> as "-<text>"
rank <number> | <then> | say <event> | say <event> <hearer> | forget | attempt/{}/require <truth>/refused/{}
repeat/choose <+direction>: {north, east}~ when open(at) as "."/{}/if <truth>/    stop/at := <square>
"""
PAYS = """
draw | win <player> | lose mover | pay <number> to <player> | pay <number> to <player>, <number> to mover
<number> - <number> | (<number>) / 2 | win mover
"""
MANY_PAYS = """
draw | each p: number(p) * (<number>) - 1 | pay <number> to <player> | pay <number> to mover, 1 to <player>
each p: <number>
"""


DEFINITIONS = (
    "truth: open(<+square>: Square)",
    "number: place(<+square>: Square)",
    "number: weighed(<+few>: 1..3, <+square>: Square)",
    "squares: region(<+player>: Player)",
)


class Writer:
    """Writes one game from a seed; a `plain` one has no chance, hides nothing, and one moves at a time. Every fourth
    has large numbers; in half of those with three players two are a team; every fifth asks what players could do, and how long ago something was; every seventh has rewards
    on the way, which every fourteenth discounts; of every ninth the utilities are costs."""

    def __init__(self, seed: int, plain: bool = False):
        self.random = random.Random(seed)
        self.names = 0
        self.scope: list[tuple[str, str]] = []  # kind, name
        self.players = self.random.choice([1, 2, 2, 2, 2, 3])
        self.ways = {kind: _ways(text) for kind, text in EXPRESSIONS.items()}
        self.declared = self.random.sample(sorted(VARIABLES), self.random.randint(2, 6))
        if seed % 4 == 3:
            self.declared += LARGE_VARIABLES
            self.ways["number"] += _ways(LARGE)
        sequences = seed % 4 == 2
        if sequences:
            deck, *more, deal = SEQUENCES
            self.declared += [deck, *self.random.sample(more, 3), deal]
        self.writes: list[str] = []
        for name in self.declared:
            for kind, text in (VARIABLES | LARGE_VARIABLES | SEQUENCES)[name].items():
                (self.writes if not kind else self.ways[kind]).extend(_ways(text) * (3 if kind else 1))
        self.hidden, self.together = self.random.random() < 0.25, self.random.random() < 0.15
        self.plain = plain
        if plain:
            self.hidden = self.together = False
            self.ways["then"] = [way for way in self.ways["then"] if not re.search("roll|everyone", way)]
        self.asks = seed % 5 == 4 and not self.hidden  # what players could do, and how long ago
        if self.asks:
            self.ways["truth"] += _ways("always(<truth>, <key>) | since(<key>) = <number> | since(<key>) != none")
        self.teams = self.players == 3 and not self.asks and seed % 2 == 0
        if seed % 6 == 1 and not self.together:
            self.ways["number"] += ["turns at turn start"] * 3
            self.ways["square?"] += ["at at turn start"] * 3
        self.head = ["utility is cost"] * (seed % 9 == 5) + ["discount 2/3"] * (seed % 14 == 6)
        self.draws = seed % 3 == 1 and not plain  # chance that returns
        self.answers = self.draws and seed % 2 == 1  # and players who are asked in the middle of a body
        self.together = self.together and not self.draws
        self.phases = seed % 5 == 2  # in which some actions are legal
        self.ends = self.random.random() < 0.8  # every ply is counted, so play ends
        self.ways["player"] += ["Bob", "Cyd"][: self.players - 1] + ["other(mover)"] * (self.players == 2)
        self.statements = _ways(STATEMENTS) + 4 * self.writes
        if sequences:
            self.declared.append(PILES)
            absent = "|".join(re.match(r"\w+", name)[0] for name in SEQUENCES if name not in self.declared)
            self.statements += 2 * [way for way in _ways(ON_SEQUENCES) if not re.search(rf"\b({absent})\b", way)]
            domains = ["<+deal>: Deal~", "<+deal>: Deal~", "<+colour>: deck~", "<+colour>: pile[<player>]~"]
            self.ways["domain"] += domains + ["<+deal>: offers~"] * any("offers" in name for name in self.declared)
        if seed % 7 == 6:
            self.statements += 3 * _ways(
                "reward <number> to <player> | reward <few> - <number> to mover, <number> to <player>"
            )
        if self.phases:
            self.ways["truth"] += ["phase = early", "phase != late", "phase < late"]
            self.statements += 2 * ["next phase early", "next phase late", "if <truth>/    next phase late"]
        if self.draws:
            self.statements = [way for way in self.statements if way != "<then>"]
            self.ways["then"].remove("next everyone")
        if self.asks:
            self.statements += 3 * ["try/    mark[<square>] := <player?>/    let # = <number>/    require <truth>"]

    def fill(self, text: str, depth: int) -> str:
        """The text with its holes filled from left to right. A name made by one hole can be used by the holes after
        it."""
        pieces, made = [], []
        for piece in re.split(r"(<\+?[a-z]+\??>|~)", text):
            if piece == "~":
                self.scope += made
                made = []
            elif not re.fullmatch(r"<\+?[a-z]+\??>", piece):
                pieces.append(piece)
            elif piece[1] == "+":
                made.append((piece[2:-1], self.name(piece[2])))
                pieces.append(made[-1][1])
            else:
                pieces.append(self.grown(piece[1:-1], depth - 1))
        return "".join(pieces)

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def known(self, kind: str) -> str:
        """Make a new name for something of a kind, and enter it among the known ones."""
        self.scope.append((kind, self.name(kind[0])))
        return self.scope[-1][1]

    def grown(self, kind: str, depth: int) -> str:
        """A random expression of a kind."""
        known = [name for found, name in self.scope if found == kind]
        if known and self.random.random() < 0.5:
            return self.random.choice(known[-3:])
        ways = self.ways[kind]
        if depth <= 0:
            ways = [way for way in ways if "<" not in re.sub(r"<=? <|^<=?$", "", way)] or ways
        before = len(self.scope)
        text = self.fill(self.random.choice(ways), depth)
        if kind not in ("domain", "then"):
            del self.scope[before:]
        return text

    def block(self, depth: int, most: int = 3) -> list[str]:
        """Up to `most` random lines of a body."""
        before, lines = len(self.scope), []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(depth)
        del self.scope[before:]
        return lines

    def statement(self, depth: int) -> list[str]:
        way = self.random.choice(self.statements if depth > 0 else self.writes)
        if "attempt" in way and not self.hidden and self.random.random() < 0.5:
            way = self.random.choice(self.writes)
        parts = way.split("/")
        before, lines = len(self.scope), []
        for number, part in enumerate(parts):
            if part == "{}":
                lines += ["    " + line for line in self.block(depth - 1, 2)]
            elif ("attempt" in parts and part.startswith("require")) or ("repeat" in parts and number):
                lines.append("    " + self.fill(part, 2))
            elif "#" in part:
                text = self.fill(part, 2)
                lines.append(text.replace("#", self.known(_kind(part))))
            else:
                lines.append(self.fill(part, 2))
        if not way.startswith(("choose", "let")):
            del self.scope[before:]
        return lines

    def rule(self, head: str, clock: bool = True) -> list[str]:
        """An action with this head and a random body."""
        before = len(self.scope)
        own = [self.fill("<domain>", 2) for _ in range(self.random.randint(0, 2))]
        text = f"{head}({', '.join(own)})" if own else head
        if self.random.random() < 0.15:
            text += " merge"
        elif self.random.random() < 0.15:
            text += f' as "{head} {self.fill("<text>", 2)}"'
        if self.random.random() < 0.7:
            text += f" when {self.fill('<truth>', 3)}"
        if (self.hidden or self.together) and self.random.random() < 0.4:
            inner = len(self.scope)
            text += self.fill(self.random.choice([" public", " unseen", " seen by <+player> when~ <truth>"]), 2)
            del self.scope[inner:]
        body = self.block(2)
        if clock:
            body.insert(self.random.choice([0, len(body)]), "turns := turns + 1")
        if self.asks and clock and self.random.random() < 0.5:
            body.append(self.fill("require <truth> or <player> has actions", 2))
        if self.draws:
            body += self.drawing()
            body += ["next phase late"] * (self.phases and self.random.random() < 0.3)
        if self.random.random() < 0.2:
            body.append(self.fill("<then>", 2))
        del self.scope[before:]
        return [text, *("    " + line for line in body)]

    def drawing(self) -> list[str]:
        """Some draws, each followed by random lines."""
        ways = """
            draw cast(<few>)/* | draw cast(<few>) 2 times/* | let # = <few>/draw cast(<few>) # times/* | cast_all(<few>)/*
            draw cast(<few>) min(2, size(<squares>)) times/* | let # = <squares>/draw cast(1)/at := (first s in #: true)
            let # = <player>/draw cast(1)/mark[at] := #
            for <+few> in 1..3 where~ <truth>/    draw cast(<few>)/    * | if <truth>/    draw cast(<few>)/    */*
            repeat/    draw cast(1)/    */    if <truth> or turns > 0/        stop | for <+player> in Player~/    draw cast(3)/    *
        """
        if PILES in self.declared:
            ways += " | shuffle(deck)/* | mix(deck)/* | mix(pile[<player>])/* | for <+player> in Player~/    shuffle(pile[<player>])/    *"
        if "hand[Player]: set of Colour = {green}" in self.declared:
            given = "if size(hand[<player>]) > 0/    deal 1 from hand[<player>] to hand[<player>]/    *"
            ways += f" | hand[mover] := {{red, blue}}/deal 1 from hand[mover] to hand[Ann]/* | {given}"
        if "table[1..3, Colour]: 0..2" in self.declared:
            few = "table[1, red] := 2/table[1, green], table[3, red], table[3, green], table[3, blue] := 0"
            ways += (
                f" | {few}/deal 2 from table[1] to table[3]/* | {few}/deal table[1, red] from table[1] to table[3]/*"
            )
        if self.answers:
            ways += """
                ask <player>: take, leave/* | ask each # after <player> where~ <truth>: leave, take/*
                ask each # before mover: take/* | let # = <player>/ask <player>: take, leave/mark[at] := #
                for <+few> in 1..3 where~ <truth>/    ask <player>: take, leave/    * | if <truth>/    ask mover: take/*
                repeat/    ask <player>: take, leave/    */    if <truth> or turns > 0/        stop
            """.replace("each #", "each <+player>")
        lines, writes = [], [way for way in self.writes if "#" not in way]
        for _ in range(self.random.randint(1, 2)):
            before, parts = len(self.scope), self.random.choice(_ways(ways)).split("/")
            for part in parts:
                text = self.fill(part.replace("*", self.random.choice(writes)), 2)
                if "#" in text:
                    name = self.known(_kind(part)) if text.startswith("let") else self.scope[-1][1]
                    text = text.replace("#", name)
                lines.append(text)
            if not parts[0].startswith("let"):
                del self.scope[before:]
        return lines

    def chance(self) -> list[str]:
        before = len(self.scope)
        heads = ["roll(<domain>)", "roll(<domain>, <domain>)", "roll(<domain>) merge"]
        if "seen: set of Square" in self.declared:
            heads.append("roll(w: 2 from seen + {a1, b2})")
        head = self.fill(self.random.choice(heads), 2)
        if self.random.random() < 0.5:
            head += f" weight {self.random.choice(['1 + abs(<number>)', '<number>', '<few>'])}"
        body = [line for line in self.block(1) if "rank " not in line]
        body += ["turns := turns + 1"] if self.ends else []
        body += self.drawing() if self.draws and self.random.random() < 0.5 else []
        lines = [self.fill(head, 2), *("    " + line for line in body)]
        del self.scope[before:]
        return ["chance " + lines[0].replace("chance ", ""), *lines[1:]]

    def text(self) -> str:
        """The text of the whole game."""
        choice, fill = self.random.choice, self.fill
        board = choice(["grid(2, 2)", "grid(3, 2)", "grid(2, 2) flipped for Ann", "grid(3, 3)", "torus(3, 2)",
                        "grid(2, 3) rotated for Ann", "hex(2, 2)", "hex(3, 2)", "grid(9, 8)"])  # fmt: skip
        if " for Ann" in board:
            self.ways["square?"] += ["step(<square>, <direction>) for Ann", "flip(<square>) for <player>"]
        players = "Ann & Cyd, Bob" if self.teams else "Ann, Bob, Cyd"[: 3 + 5 * (self.players - 1)]
        lines = ["players " + players, f"board Square = {board}"]
        lines += [*self.head, "board Point = ring(5)", "type Colour = red < green < blue", "define list = [2, 0, 5]"]
        if PILES in self.declared:
            lines += ["type Deal = record(by: Player, hue_of: Colour?, tall: -1..1)"]
            lines += ["type Pair = record(one: Deal, two: Boolean)", OF_SEQUENCES]
            lines += ["define mix(cards: sequence of Colour)", "    shuffle(cards)"] if self.draws else []
        lines += ["", "state", "    turns: 0..9", "    at: Square = b1"]
        seen = ["", " visible to none", " visible to p when turns > 1", " visible to p when mark[a1] = p"]
        lines.append(f"    mark[Square]: Player?{choice(seen[1:]) if self.hidden else ''}")
        for name in self.declared:
            places = [" visible to p when place > 1 or turns > 1"] * (2 if "sequence" in name else 0)
            lines.append(f"    {name}{choice(seen + places) if self.hidden else ''}")
        lines += [
            "",
            *map(self.definition, DEFINITIONS),
            "",
            "define mark_all(who: Player?)",
            "    for s in Square where mark[s] != who",
            "        mark[s] := who",
        ]
        if self.together:
            lines += ["", "start everyone"]
        elif not self.plain and self.random.random() < 0.3:
            lines += ["", "start roll"]
        for head in ["go", "act", "put"][: self.random.randint(1, 3)]:
            lines += ["", *self.in_phase({"go": "early", "act": "late"}.get(head, ""), self.action(head))]
            if self.asks:  # those that come after it may ask for it
                self.ways["truth"] += [f"(<player> has {head})"] * 3
        lines += [] if self.plain else ["", *self.chance()]
        if self.draws:
            lines += ["", "chance cast(f: 1..3, c: Colour) weight f", *self.filled_lines("cast")]
            lines += [
                "",
                "define cast_all(f: 1..3)",
                "    draw cast(f)",
                *self.filled_lines("many"),
                "    draw cast(2)",
            ]
        if self.answers:
            nested = choice([["    ask each q after <player>: leave"], ["    draw cast(2)"], []])
            lines += ["", "action take(f: 1..2)", *self.filled_lines("take"), *(fill(line, 2) for line in nested)]
            lines += ["    if turns < 9", "        turns := turns + 1", "", "action leave", *self.filled_lines("leave")]
        if any("everyone" in line for line in lines):
            self.statements = [way for way in self.statements if not re.search("choose|require|rank", way)]
            body = "\n    ".join(["turns := turns + 1", *self.block(1)])
            lines += ["", "resolve", f"    {re.sub('other.mover.|mover', 'Ann', body)}"]
        if self.random.random() < 0.4:
            sum_of = (
                "each p: {} + number(p)"
                if self.players > 2 and not self.teams
                else choice(["{}", "each p: {} - number(p)"])
            )
            lines += ["", "evaluate", "    " + sum_of.format(fill("3 * (<number>)", 2))]
        pays = PAYS if self.players < 3 or self.teams else MANY_PAYS
        ends = [fill(f"<truth> and turns > 0 -> {choice(_ways(pays))}", 2) for _ in range(self.random.randint(0, 2))]
        last = "turns >= " + choice("2468")
        ends += [fill(f"{last} -> {choice(_ways(pays))}", 2), fill(f"no actions -> {choice(_ways(pays))}", 2)]
        if self.together:  # there nobody is to move
            at = lines.index("evaluate") if "evaluate" in lines else len(lines)
            lines[at:], ends = [
                [re.sub("other.mover.|mover", "Ann", each) for each in part] for part in (lines[at:], ends)
            ]
        return "\n".join([*lines, "", "terminal", *("    " + line for line in [*ends, "forever -> draw"]), ""])

    def in_phase(self, phase: str, action: list[str]) -> list[str]:
        """The action put into a phase, with the line on what follows if it has no actions; unchanged if the game has no
        phases."""
        if not self.phases or not phase:
            return action
        after = self.random.choice([["no actions -> next phase late"], []]) if phase == "early" else []
        lines = [f"phase {phase}", *("    " + line for line in (*action, *after))]
        if phase == "late":
            return lines
        return [*lines, "", "phase late", *self.random.choice([[], ["    no actions -> next phase early"]])]

    def filled_lines(self, name: str) -> list[str]:
        """Two random lines that write to the state, for a body without local names."""
        self.scope.clear()
        writes = [way for way in self.writes if "#" not in way]
        return ["    " + self.fill(self.random.choice(writes), 2) for _ in name[:2]]

    def definition(self, head: str) -> str:
        """A definition with this head and a random value; later definitions may use it."""
        kind, head = head.split(": ", 1)
        call = re.sub(r"\+(\w+)>: (1..3|\w+)", r"\1>", head)
        text = "define " + self.fill(f"{head}~ = <{kind}>", 3)
        self.scope.clear()
        self.ways[kind] += [call] * 2
        return text

    def action(self, head: str) -> list[str]:
        clock = not self.together and (self.ends or self.random.random() < 0.5)
        return ["action " + line if k == 0 else line for k, line in enumerate(self.rule(head, clock))]


def _ways(text: str) -> list[str]:
    """The alternatives of a text, separated by `|` or by lines."""
    found = [way.strip() for line in text.strip().splitlines() for way in re.split(r" \| ", line)]
    return [way for way in found if way] + [""] * (text.startswith(" |"))


def _kind(text: str) -> str:
    """The kind of the first hole of a line."""
    return text.split("<")[1].split(">")[0]


def written(seed: int, plain: bool = False) -> str:
    """The text of game number `seed`."""
    return Writer(seed, plain).text()

"""Games by whose boards it is tested what is drawn on them."""

CHASE = """
game "Chase"
players White, Black
board Square = grid(3, 2)
state
    king[p: Player]: Square? = if p = White then a1 else c2
    moves: 0..9
action step(s: Square) as "{s}" when s in neighbours(king[mover], directions)
    king[mover] := s
    moves := moves + 1
action leave
    king[mover] := none
    moves := 9
terminal
    moves = 9 -> draw
"""

STACKS = """
players Ann, Bob
type Kind = queen, ant
type Bug = record(owner: Player, kind: Kind)
board Cell = grid(2, 1)
state
    bugs[Cell]: sequence of Bug up to 3
    reserve[Player]: sequence of Kind up to 2 = [ant, queen]
action put(c: Cell) as "{c}" when size(reserve[mover]) > 0 and size(bugs[c]) < 3
    push(bugs[c], Bug(mover, last(reserve[mover])))
    pop(reserve[mover])
action lift when size(bugs[a1]) > 0
    pop(bugs[a1])
terminal
    no actions -> draw
"""

OFFERS = """
players Ann, Bob
type Good = wood, clay
type Pair = record(one: Good, two: Good?)
type Offer = record(giver: Player, pair: Pair, fair: Boolean)
state
    offers: sequence of Offer up to 2
    held[Player]: Offer?   visible to owner
    seen: set of Pair
    worth[Pair]: 0..3 = 1
action offer(o: Offer) as "{o.pair}" when o.giver = mover and o.fair
    push(offers, o)
    held[other(mover)] := o
    seen := seen + {o.pair}
    worth[o.pair] := 2
terminal
    size(offers) = 2 -> draw
"""

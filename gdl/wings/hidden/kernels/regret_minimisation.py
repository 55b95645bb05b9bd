"""Counterfactual regret minimisation over the sequences of a game's players (see solvers/equilibria/cfr.py).

The game's tables are written into memory before: the sets of each player one after the other, each behind those that
lead to it; the sequences of each player likewise, the empty one first; the ends, with what they pay times what chance
gives. An iteration updates one player after the other:

1. The player's plan is added to the average with a weight that grows with the iterations, and each sequence gains what
   its ends pay, weighted by the plans of the others, those before in the round already new.
2. From the last set to the first: an action is worth the gain of its sequence, a set the average of its actions by
   their shares; its worth is added to the gain of the sequence that leads to it.
3. What an action is worth more than its set is added to its regret. METHOD says how regrets go on to the next round.
4. The next shares are in proportion to the positive regrets, all equal where none is positive.
5. From the first set to the last: the new plan.

Whenever the average is judged, it is rounded to whole numbers: of a set's actions together as many parts as of the
sequence that leads there. What the best reply to it pays is then a whole number too, found as in step 2.

Sources: Zinkevich, Johanson, Bowling and Piccione, Regret minimization in games with incomplete information, NIPS 2007;
Tammelin, Solving large imperfect information games using CFR+, 2014; Brown and Sandholm, Solving imperfect-information
games via discounted regret minimization, AAAI 2019; Farina, Kroer and Sandholm, Faster game solving via predictive
Blackwell approachability, AAAI 2021.
"""

from gdl.compiler.kernels.words import *

PLUS = const(0)  # regrets never fall below 0; the average weighs iterations by their number
DISCOUNTED = const(1)  # old regrets fade, and the average weighs iterations by the square of their number
PREDICTIVE = const(2)  # as PLUS, and each round expects the regrets of the last to come again; squares as well
METHOD = const(0)  # set: one of these
SEATS = const(2)  # set: players
SETS = const(1)  # set: information sets
SEQUENCES = const(1)  # set: of all players
ENDS = const(1)  # set: pairs of sequences that lead to ends
EXACT = const(0)  # set: whether averages are judged here, in whole numbers

first_set = array(i32, SEATS + 1)  # by player; the last is the number of all
first_sequence = array(i32, SEATS + 1)
set_first = array(i32, SETS)  # by set: the sequence of its first action,
set_count = array(i32, SETS)  # the number of its actions,
set_before = array(i32, SETS)  # and the sequence that leads there
end_sequence = array(i32, ENDS * SEATS)  # by end: the sequence of each player that leads there,
end_payoff = array(f64, ENDS * SEATS)  # and what it pays each, times the probability of chance's part

plan = array(f64, SEQUENCES)  # by sequence, as the next ones: the product of the shares of its actions,
share = array(f64, SEQUENCES)  # the probability of its last action,
gain = array(f64, SEQUENCES)  # what it gains against the others' plans,
regret = array(f64, SEQUENCES)  # the regret of its last action,
average = array(f64, SEQUENCES)  # and the weighted sum of all plans so far
rounds = array(i64, 1)  # iterations done
end_amount = array(i64, ENDS * SEATS if EXACT else 1)  # end_payoff as whole numbers over one denominator
whole = array(i64, SEQUENCES if EXACT else 1)  # the average, rounded to whole parts
worth = array(i64, SEQUENCES if EXACT else 1)  # what a sequence gains against the others' rounded averages
most = array(i64, SEATS)  # what the best reply to the others pays each player


def collect(player: i32, weight: f64) -> None:
    """Step 1: gather what each sequence of the player gains against the present plans of the others."""
    for s in range(first_sequence[player], first_sequence[player + 1]):
        average[s] += weight * plan[s]
        gain[s] = 0.0
    for e in range(ENDS):
        at: i32 = e * SEATS
        # With two players the product has one factor; this loop takes nearly all the time.
        if SEATS == 2:
            gain[end_sequence[at + player]] += end_payoff[at + player] * plan[end_sequence[at + 1 - player]]
        else:
            likely = end_payoff[at + player]
            for other in range(SEATS):
                if other != player:
                    likely = likely * plan[end_sequence[at + other]]
            gain[end_sequence[at + player]] += likely


def compare(player: i32, fading: f64, halving: f64) -> None:
    """Steps 2 to 4: from the last set back, compare the actions of each set, and update regrets and averages."""
    for k in range(first_set[player + 1] - first_set[player]):
        h: i32 = first_set[player + 1] - 1 - k
        begin: i32 = set_first[h]
        end: i32 = begin + set_count[h]
        worth = 0.0
        for s in range(begin, end):
            worth += share[s] * gain[s]
        # Sets stand behind those that lead to them: going backwards, a sequence's gain is complete before its own set
        # is met.
        gain[set_before[h]] += worth
        total = 0.0
        for s in range(begin, end):
            more = gain[s] - worth
            # Fading keeps early mistakes from weighing for ever; negative regrets fade faster than positive ones.
            if METHOD == DISCOUNTED:
                known = regret[s]
                regret[s] = known * fading + more if known > 0.0 else known * halving + more
                hope = regret[s]
            else:
                kept = regret[s] + more
                regret[s] = kept if kept > 0.0 else 0.0
                hope = regret[s]
                if METHOD == PREDICTIVE:
                    # The last difference counts twice, as if it came once more: players who learn slowly repeat
                    # themselves.
                    hope = regret[s] + more
            share[s] = hope if hope > 0.0 else 0.0
            total += share[s]
        for s in range(begin, end):
            # No action has been missed: any strategy will do, and equal shares are the same on every engine.
            share[s] = share[s] / total if total > 0.0 else 1.0 / f64(set_count[h])


def replan(player: i32) -> None:
    """Step 5: make the player's next plan from the regrets."""
    for h in range(first_set[player], first_set[player + 1]):
        led = plan[set_before[h]]
        for s in range(set_first[h], set_first[h] + set_count[h]):
            plan[s] = led * share[s]


def begin() -> None:
    """Begin with all actions equally likely."""
    rounds[0] = 0
    for player in range(SEATS):
        plan[first_sequence[player]] = 1.0
        for h in range(first_set[player], first_set[player + 1]):
            for s in range(set_first[h], set_first[h] + set_count[h]):
                share[s] = 1.0 / f64(set_count[h])
                plan[s] = plan[set_before[h]] * share[s]
                regret[s] = 0.0
                average[s] = 0.0


def iterate(count: i32) -> None:
    """Make `count` more iterations."""
    for i in range(count):
        rounds[0] += 1
        number = f64(rounds[0])
        before = number - 1.0
        grown = before * sqrt(before)
        weight = number if METHOD == PLUS else number * number
        for player in range(SEATS):
            collect(player, weight)
            compare(player, grown / (grown + 1.0), 0.5)
            replan(player)


def round_average(parts: i64) -> None:
    """Round the average strategies to whole numbers that sum to `parts` for each player; the rest goes to the likeliest
    action."""
    for player in range(SEATS):
        whole[first_sequence[player]] = parts
        for h in range(first_set[player], first_set[player + 1]):
            begin: i32 = set_first[h]
            led = whole[set_before[h]]
            total = 0.0
            likeliest = begin
            for s in range(begin, begin + set_count[h]):
                total += average[s]
                if average[s] > average[likeliest]:
                    likeliest = s
            left = led
            for s in range(begin, begin + set_count[h]):
                part = 1.0 / f64(set_count[h])
                if total > 0.0:
                    part = average[s] / total
                whole[s] = i64(f64(led) * part)
                left -= whole[s]
            # Rounding down leaves some parts over. They must go somewhere, and there they change the strategy the
            # least.
            whole[likeliest] += left


def gather(player: i32) -> None:
    """Gather the gain of each sequence of a player against the rounded plans of the others."""
    for s in range(first_sequence[player], first_sequence[player + 1]):
        worth[s] = 0
    for e in range(ENDS):
        at: i32 = e * SEATS
        likely = end_amount[at + player]
        for other in range(SEATS):
            if other != player:
                likely = likely * whole[end_sequence[at + other]]
        worth[end_sequence[at + player]] += likely


def reply(player: i32) -> None:
    """Compute the gain of the player's best reply to the others' rounded plans; `gather` has filled `worth`."""
    for k in range(first_set[player + 1] - first_set[player]):
        h: i32 = first_set[player + 1] - 1 - k
        begin: i32 = set_first[h]
        best = worth[begin]
        for s in range(begin, begin + set_count[h]):
            if worth[s] > best:
                best = worth[s]
        worth[set_before[h]] += best
    most[player] = worth[first_sequence[player]]

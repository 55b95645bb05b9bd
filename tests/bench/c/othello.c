/* Random playouts of othello on 8x8 with bitboards; the value is the first player's discs less the second's.
   A pass is a ply. Usage: othello COUNT */
#include "bench.h"

static const Bits NOT_A = 0xfefefefefefefefeull, NOT_H = 0x7f7f7f7f7f7f7f7full;

static inline Bits step(Bits set, int direction) {
    switch (direction) {
        case 0: return set << 8;
        case 1: return set >> 8;
        case 2: return (set << 1) & NOT_A;
        case 3: return (set >> 1) & NOT_H;
        case 4: return (set << 9) & NOT_A;
        case 5: return (set >> 9) & NOT_H;
        case 6: return (set << 7) & NOT_H;
        default: return (set >> 7) & NOT_A;
    }
}

/* The run of the other's discs that begins beside a set. */
static inline Bits run(Bits from, Bits other, int direction) {
    Bits met = step(from, direction) & other;
    for (int i = 0; i < 5; i++) met |= step(met, direction) & other;
    return met;
}

static inline Bits places(Bits me, Bits other) {
    Bits found = 0;
    for (int d = 0; d < 8; d++) found |= step(run(me, other, d), d) & ~(me | other);
    return found;
}

static inline Bits turned(Bits me, Bits other, Bits place) {
    Bits found = 0;
    for (int d = 0; d < 8; d++) {
        Bits discs = run(place, other, d);
        if (step(discs, d) & me) found |= discs;
    }
    return found;
}

static int playout(long *plies) {
    Bits me = 0x0000000810000000ull, other = 0x0000001008000000ull;
    int first = 1; /* whether `me` is the first player */
    for (int passed = 0;; first = !first) {
        Bits can = places(me, other), place = 0, discs = 0;
        if (!can && passed) break;
        passed = !can;
        if (can) {
            place = nth_bit(can, below(count_bits(can)));
            discs = turned(me, other, place);
        }
        ++*plies;
        Bits left = other & ~discs;
        other = me | discs | place;
        me = left;
    }
    --*plies; /* the play was over before the first of the two passes */
    int lead = count_bits(me) - count_bits(other);
    return first ? lead : -lead;
}

int main(int argc, char **argv) { play_and_report(playout, argc > 1 ? atol(argv[1]) : 100000); }

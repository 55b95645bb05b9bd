/* Connect four on bitboards: a column is ROWS bits and an empty one above (Tromp; Fhourstones). The size is given
   when it is compiled: -DCOLUMNS=5 -DROWS=4.

   Usage: connect_four playouts COUNT    random plays
          connect_four perft DEPTH       sequences of drops
          connect_four alphabeta         the value, by alpha-beta with a table of 2^22 positions, centre first
          connect_four values            of each drop after each play that it reads, a line of columns from 1 on: 1, 0,
                                         -1 for who drops; 2 where the column is full
          connect_four enumerate         every position, and the value and distance to the end of each */
#include "bench.h"

#ifndef COLUMNS
#define COLUMNS 7
#define ROWS 6
#endif
#define UP (ROWS + 1)

static Bits bottom, board, column[COLUMNS];

static inline int wins(Bits discs) {
    static const int steps[4] = {1, UP, UP - 1, UP + 1};
    for (int i = 0; i < 4; i++) {
        Bits pairs = discs & (discs >> steps[i]);
        if (pairs & (pairs >> 2 * steps[i])) return 1;
    }
    return 0;
}

static inline Bits drops(Bits taken) { return (taken + bottom) & board; }

/* A position as one number, never 0: the discs of the mover, and the first free square of every column. */
static inline Bits packed(Bits me, Bits taken) { return me + taken + bottom; }

static inline Bits scrambled(Bits key) { return key * 0x9E3779B97F4A7C15ull; }

/* Playouts and perft */

static int playout(long *plies) {
    Bits me = 0, other = 0;
    for (int sign = 1;; sign = -sign) {
        Bits can = drops(me | other);
        if (!can) return 0;
        Bits after = me | nth_bit(can, below(count_bits(can)));
        ++*plies;
        if (wins(after)) return sign;
        me = other;
        other = after;
    }
}

static Bits perft(Bits me, Bits other, int depth) {
    if (depth == 0) return 1;
    if (wins(other)) return 0;
    Bits total = 0;
    for (Bits can = drops(me | other); can; can &= can - 1) total += perft(other, me | (can & -can), depth - 1);
    return total;
}

/* Alpha-beta: an entry is a key and the least and the greatest value it can have, each plus one, in two bits. */

enum { TABLE = 1 << 22 };
static Bits *table, nodes;
static int order[COLUMNS];

static int alpha_beta(Bits me, Bits other, int alpha, int beta) {
    nodes++;
    Bits can = drops(me | other);
    if (!can) return 0;
    for (Bits rest = can; rest; rest &= rest - 1)
        if (wins(me | (rest & -rest))) return 1;
    Bits key = packed(me, me | other), *entry = &table[scrambled(key) >> 20 & (TABLE - 1)];
    int least = -1, most = 1, best = -1;
    if (*entry >> 4 == key) {
        least = (int)(*entry & 3) - 1;
        most = (int)(*entry >> 2 & 3) - 1;
        if (least >= beta || least == most) return least;
        if (most <= alpha) return most;
        if (least > alpha) alpha = least;
        if (most < beta) beta = most;
    }
    int first_alpha = alpha;
    for (int i = 0; i < COLUMNS && alpha < beta; i++) {
        Bits drop = can & column[order[i]];
        if (!drop) continue;
        int value = -alpha_beta(other, me | drop, -beta, -alpha);
        if (value > best) best = value;
        if (value > alpha) alpha = value;
    }
    if (best <= first_alpha) {
        if (best < most) most = best;
    } else if (best >= beta) {
        if (best > least) least = best;
    } else {
        least = most = best;
    }
    *entry = key << 4 | (Bits)(least + 1) | (Bits)(most + 1) << 2;
    return best;
}

static void say_values(void) {
    char line[COLUMNS * ROWS + 2];
    while (fgets(line, sizeof line, stdin)) {
        Bits me = 0, other = 0;
        for (char *at = line; *at >= '1' && *at <= '9'; at++) {
            Bits after = me | (drops(me | other) & column[*at - '1']);
            me = other;
            other = after;
        }
        for (int i = 0; i < COLUMNS; i++) {
            Bits drop = drops(me | other) & column[i];
            printf("%d ", !drop ? 2 : wins(me | drop) ? 1 : -alpha_beta(other, me | drop, -1, 1));
        }
        printf("\n");
        fflush(stdout);
    }
}

/* Every position, ply by ply, in the order of discovery; a slot of the hash table holds a position's number plus one. */

enum { SLOTS = 1 << 23, MOST = 1 << 22 };
typedef struct { Bits me, other; } Position;
static Position *positions;
static uint32_t *slots;
static int8_t *values, *distances; /* for the mover; distances in plies to the end of best play */
static uint32_t found;

static uint32_t number_of(Bits me, Bits other) {
    Bits slot = scrambled(packed(me, me | other)) >> (64 - 23);
    for (; slots[slot]; slot = (slot + 1) & (SLOTS - 1)) {
        Position *met = &positions[slots[slot] - 1];
        if (met->me == me && met->other == other) return slots[slot] - 1;
    }
    positions[found] = (Position){me, other};
    slots[slot] = ++found;
    return found - 1;
}

/* Wins are taken as soon, losses as late as can be. A successor has a greater number, so it is done before. */
static void judge(uint32_t number) {
    Position p = positions[number];
    Bits can = drops(p.me | p.other);
    int best = wins(p.other) ? -1 : 0, distance = 0, any = 0;
    if (!wins(p.other))
        for (; can; can &= can - 1) {
            uint32_t next = number_of(p.other, p.me | (can & -can));
            int value = -values[next], far = 1 + distances[next];
            int better = value > best || (value == best && (value > 0 ? far < distance : far > distance));
            if (!any || better) best = value, distance = far;
            any = 1;
        }
    values[number] = (int8_t)best;
    distances[number] = (int8_t)distance;
}

static void enumerate(void) {
    positions = malloc(sizeof(Position) * MOST);
    slots = calloc(SLOTS, sizeof *slots);
    double started = cpu_seconds();
    number_of(0, 0);
    for (uint32_t i = 0; i < found; i++) {
        Position p = positions[i];
        if (wins(p.other)) continue;
        for (Bits can = drops(p.me | p.other); can; can &= can - 1) number_of(p.other, p.me | (can & -can));
    }
    values = malloc(found);
    distances = malloc(found);
    for (uint32_t i = found; i-- > 0;) judge(i);
    printf("{\"units\": 1, \"seconds\": %.6f, \"states\": %u, \"value\": %d, \"distance\": %d, \"peak\": %.0f}\n",
           cpu_seconds() - started, found, values[0], distances[0], peak_mib());
}

int main(int argc, char **argv) {
    for (int i = 0; i < COLUMNS; i++) {
        bottom |= 1ull << i * UP;
        column[i] = ((1ull << ROWS) - 1) << i * UP;
        board |= column[i];
        order[i] = COLUMNS / 2 + (i % 2 ? -(i + 1) / 2 : (i + 1) / 2);
    }
    const char *work = argc > 1 ? argv[1] : "playouts";
    long size = argc > 2 ? atol(argv[2]) : 0;
    double started = cpu_seconds();
    if (!strcmp(work, "playouts")) {
        play_and_report(playout, size);
    } else if (!strcmp(work, "perft")) {
        Bits count = perft(0, 0, (int)size);
        printf("{\"units\": 1, \"seconds\": %.6f, \"count\": %lu}\n", cpu_seconds() - started, count);
    } else if (!strcmp(work, "alphabeta")) {
        table = calloc(TABLE, sizeof *table);
        int value = alpha_beta(0, 0, -1, 1);
        printf("{\"units\": 1, \"seconds\": %.6f, \"value\": %d, \"nodes\": %lu}\n", cpu_seconds() - started, value, nodes);
    } else if (!strcmp(work, "values")) {
        table = calloc(TABLE, sizeof *table);
        say_values();
    } else {
        enumerate();
    }
}

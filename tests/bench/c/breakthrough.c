/* Random playouts of breakthrough on 8x8 with bitboards; a1 is bit 0. Usage: breakthrough COUNT */
#include "bench.h"

static const Bits NOT_A = 0xfefefefefefefefeull, NOT_H = 0x7f7f7f7f7f7f7f7full;

/* Take one of three sets of targets, each with the shift that led there; returns the man's old and new square. */
static inline int pick(const Bits targets[3], Bits *target) {
    int straight = count_bits(targets[0]), left = count_bits(targets[1]), right = count_bits(targets[2]);
    if (!(straight + left + right)) return -1;
    int k = below(straight + left + right), way = 0;
    if (k >= straight) k -= straight, way = 1;
    if (way == 1 && k >= left) k -= left, way = 2;
    *target = nth_bit(targets[way], k);
    return way;
}

static int playout(long *plies) {
    Bits white = 0xffffull, black = 0xffffull << 48, target;
    for (;;) {
        const Bits up[3] = {(white << 8) & ~(white | black), (white << 7) & NOT_H & ~white, (white << 9) & NOT_A & ~white};
        int way = pick(up, &target);
        if (way < 0) return -1;
        ++*plies;
        white ^= target | target >> (way == 0 ? 8 : way == 1 ? 7 : 9);
        black &= ~target;
        if (target >> 56 || !black) return 1;
        const Bits down[3] = {(black >> 8) & ~(white | black), (black >> 9) & NOT_H & ~black, (black >> 7) & NOT_A & ~black};
        way = pick(down, &target);
        if (way < 0) return 1;
        ++*plies;
        black ^= target | target << (way == 0 ? 8 : way == 1 ? 9 : 7);
        white &= ~target;
        if (target & 0xff || !white) return -1;
    }
}

int main(int argc, char **argv) { play_and_report(playout, argc > 1 ? atol(argv[1]) : 100000); }

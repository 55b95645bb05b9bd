/* Random playouts of tic-tac-toe. Usage: tic_tac_toe COUNT */
#include "bench.h"

static uint8_t won[512]; /* whether a set of squares holds a line */

static int playout(long *plies) {
    Bits me = 0, other = 0;
    for (int free = 9, sign = 1; free; free--, sign = -sign) {
        Bits after = me | nth_bit(511 & ~(me | other), below(free));
        ++*plies;
        if (won[after]) return sign;
        me = other;
        other = after;
    }
    return 0;
}

int main(int argc, char **argv) {
    static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int set = 0; set < 512; set++)
        for (int i = 0; i < 8; i++) won[set] |= (set & lines[i]) == lines[i];
    play_and_report(playout, argc > 1 ? atol(argv[1]) : 1000000);
}

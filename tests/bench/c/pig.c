/* Pig to 100. Usage: pig playouts COUNT | pig values
   `values`: the chance to win of every position by Gauss-Seidel value iteration (Neller and Presser 2004), from high
   scores to low ones, until a sweep changes nothing by more than one in a million. */
#include "bench.h"

enum { GOAL = 100, SIDES = 6 };
static double chance[GOAL][GOAL][GOAL]; /* the mover's score, the other's, the sum of this turn */

static inline double wins(int score, int other, int sum) { return score + sum >= GOAL ? 1 : chance[score][other][sum]; }

static double improved(int score, int other, int sum) {
    double roll = 1 - chance[other][score][0];
    for (int die = 2; die <= SIDES; die++) roll += wins(score, other, sum + die);
    roll /= SIDES;
    double hold = score + sum >= GOAL ? 1 : 1 - chance[other][score + sum][0];
    return sum > 0 && hold > roll ? hold : roll;
}

static void values(void) {
    double started = cpu_seconds(), change = 1;
    int sweeps = 0;
    for (; change > 1e-6; sweeps++) {
        change = 0;
        for (int score = GOAL - 1; score >= 0; score--)
            for (int other = GOAL - 1; other >= 0; other--)
                for (int sum = GOAL - 1 - score; sum >= 0; sum--) {
                    double better = improved(score, other, sum), by = better - chance[score][other][sum];
                    if (by < 0) by = -by;
                    if (by > change) change = by;
                    chance[score][other][sum] = better;
                }
    }
    printf("{\"units\": 1, \"seconds\": %.6f, \"value\": %.6f, \"sweeps\": %d, \"peak\": %.0f}\n",
           cpu_seconds() - started, 2 * chance[0][0][0] - 1, sweeps, peak_mib());
}

/* One may hold with nothing, but not roll on with the goal in hand. A throw is a ply. */
static int playout(long *plies) {
    int score[2] = {0, 0}, sum = 0, player = 0;
    for (;;) {
        ++*plies;
        if (sum < GOAL && below(2)) {
            ++*plies;
            int die = 1 + (int)below(SIDES);
            sum = die == 1 ? 0 : sum + die;
            player ^= die == 1;
            continue;
        }
        score[player] += sum;
        sum = 0;
        if (score[player] >= GOAL) return player ? -1 : 1;
        player = !player;
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "playouts")) play_and_report(playout, argc > 2 ? atol(argv[2]) : 100000);
    else values();
}

/* Random playouts of hex 11x11: the free cells are drawn without putting back, and chains of stones are joined by
   union-find, with each player's two edges as cells of their own. Usage: hex COUNT */
#include "bench.h"

enum { N = 11, CELLS = N * N, TOP = CELLS, FOOT, LEFT, RIGHT };
static int16_t parent[CELLS + 4];

static int root(int cell) {
    while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
    return cell;
}

static void join(int a, int b) { parent[root(a)] = root(b); }

static int playout(long *plies) {
    static const int right[6] = {1, -1, 0, 0, 1, -1}, down[6] = {0, 0, 1, -1, -1, 1};
    int16_t free[CELLS];
    int8_t stone[CELLS];
    memset(stone, -1, sizeof stone);
    for (int i = 0; i < CELLS + 4; i++) parent[i] = i;
    for (int i = 0; i < CELLS; i++) free[i] = i;
    for (int left = CELLS, player = 0; left; left--, player = !player) {
        int drawn = below(left), cell = free[drawn], x = cell % N, y = cell / N;
        free[drawn] = free[left - 1];
        stone[cell] = player;
        ++*plies;
        for (int d = 0; d < 6; d++) {
            int to_x = x + right[d], to_y = y + down[d];
            if (to_x < 0 || to_y < 0 || to_x >= N || to_y >= N) continue;
            if (stone[to_y * N + to_x] == player) join(cell, to_y * N + to_x);
        }
        int along = player ? x : y, near = player ? LEFT : TOP, far = player ? RIGHT : FOOT;
        if (along == 0) join(cell, near);
        if (along == N - 1) join(cell, far);
        if (root(near) == root(far)) return player ? -1 : 1;
    }
    return 0;
}

int main(int argc, char **argv) { play_and_report(playout, argc > 1 ? atol(argv[1]) : 100000); }

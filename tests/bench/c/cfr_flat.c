/* CFR+ with linear averaging, one player after the other, on a game tree in arrays: a library for theirs/cfr_flat.py.
   gcc -O3 -march=native -shared -fPIC */
#include <stdint.h>

enum { CHANCE = 2, END = 3 }; /* 0 and 1: that player decides */

typedef struct {
  const int8_t *kind;
  const int32_t *first, *count; /* of the links of a node */
  const int32_t *link, *slot;   /* slot: where the numbers of a decision's information set begin */
  const double *share, *paid;   /* share: of a link of chance; paid: what an end pays the first player */
} tree;

static tree t;
static double *regret, *sum, *play;
static int updated;
static double weight;

static double walk(int i, double first_plays, double second_plays, double chance) {
  int kind = t.kind[i];
  if (kind == END) return updated ? -t.paid[i] : t.paid[i];
  const int from = t.first[i], n = t.count[i];
  double value = 0;
  if (kind == CHANCE) {
    for (int k = 0; k < n; k++)
      value += t.share[from + k] * walk(t.link[from + k], first_plays, second_plays, chance * t.share[from + k]);
    return value;
  }
  if (first_plays == 0 && second_plays == 0) return 0;
  const int s = t.slot[i];
  double values[64];
  for (int k = 0; k < n; k++) {
    double p = play[s + k];
    values[k] = kind ? walk(t.link[from + k], first_plays, second_plays * p, chance)
                     : walk(t.link[from + k], first_plays * p, second_plays, chance);
    value += p * values[k];
  }
  if (kind == updated) {
    double others = (kind ? first_plays : second_plays) * chance, mine = kind ? second_plays : first_plays;
    for (int k = 0; k < n; k++) {
      regret[s + k] += others * (values[k] - value);
      sum[s + k] += weight * mine * play[s + k];
    }
  }
  return value;
}

void run(const int8_t *kind, const int32_t *first, const int32_t *count, const int32_t *link, const int32_t *slot,
         const double *share, const double *paid, int sets, const int32_t *set_slot, const int32_t *set_count,
         const int8_t *set_player, double *regrets, double *sums, double *plays, int done, int iterations) {
  t = (tree){kind, first, count, link, slot, share, paid};
  regret = regrets, sum = sums, play = plays;
  for (int it = done; it < iterations; it++)
    for (updated = 0; updated < 2; updated++) {
      weight = it + 1;
      walk(0, 1, 1, 1);
      for (int h = 0; h < sets; h++)
        if (set_player[h] == updated) {
          double *r = regret + set_slot[h], total = 0;
          int n = set_count[h];
          for (int k = 0; k < n; k++) {
            if (r[k] < 0) r[k] = 0;
            total += r[k];
          }
          for (int k = 0; k < n; k++) play[set_slot[h] + k] = total > 0 ? r[k] / total : 1.0 / n;
        }
    }
}

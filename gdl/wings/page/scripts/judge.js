// What a move gives away, and its mark: the same rule as gdl/playing/judging.py, which has the reasons and the source.

export class Judge {
  scale; marks;

  constructor({ scale, marks }) { Object.assign(this, { scale, marks }); }

  /** What a position is worth to a player, from -1 to 1. */
  chances({ value, estimate }, player) {
    const { bounds, usual } = this.scale;
    if (estimate && usual && value.length > 1) return 2 / (1 + Math.exp(-Math.max(-50, Math.min(50, this.ahead(value, player) / usual)))) - 1;
    const [low, high] = bounds[player];
    const at = Math.max(low, Math.min(high, Number(value[player])));
    return high > low ? (2 * (at - low)) / (high - low) - 1 : 0;
  }

  /** The mark of a move that leads to `made` where `best` could be had. */
  mark(best, made, player) {
    const lost = this.chances(best, player) - this.chances(made, player);
    const mark = this.marks.find(([least]) => lost >= least)?.[1] ?? "";
    const proved = best.exact && made.exact && !this.scale.chance && Number(made.value[player]) < Number(best.value[player]);
    return proved && this.standing(made.value, player) < this.standing(best.value, player) ? "??" : mark || (proved ? "?!" : "");
  }

  /** How far the player is ahead of the best of the others. */
  ahead(value, player) {
    return Number(value[player]) - Math.max(...value.map(Number).filter((_, p) => p !== player));
  }

  standing(value, player) {
    return value.length < 2 ? 0 : Math.sign(this.ahead(value, player));
  }
}

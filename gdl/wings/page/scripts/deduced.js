// What a player who does not see everything can tell of the others' plies: from all states in which play may be, for all
// that has reached them. Where these are too many nothing is said, so nobody is told what they could not know.
import { EVERYONE, NONE } from "./game.js";

const MOST_TRIED = 3000; // choices of one ply, in all states in which it may have been made

/** The choices in a state, of all at once one for each who chooses. */
function choicesIn(game, state) {
  if (game.kind(state) === "end") return [];
  if (state.words[0] !== EVERYONE) return game.rows(state, 0);
  return game.players.reduce((some, _, p) => {
    const own = game.rows(state, p);
    return some.length * own.length > MOST_TRIED ? Array(MOST_TRIED + 1) : some.flatMap((each) => (own.length ? own : [NONE]).map((row) => [...each, row]));
  }, [[]]);
}

/** The names of a choice; null for who had none. */
function namesOf(game, state, choice) {
  const name = (row, player) => (row === NONE ? null : game.option(state, row, player).name);
  return Array.isArray(choice) ? choice.map(name) : [name(choice, state.words[1])];
}

/** The states that may lie behind a ply, and for each who chose what they may have done; null where that is not found. */
function explained(play, place, viewer) {
  const known = (place.explained ??= []);
  if (known[viewer] !== undefined) return known[viewer];
  const { game } = play;
  const before = place.parent ? explained(play, place.parent, viewer)?.states : null;
  if (!place.parent) return (known[viewer] = { states: [place.state], names: [] });
  known[viewer] = null;
  if (!before) return null;
  const [seen, states, names] = [game.learnt(viewer, place.state), new Map(), []];
  let left = MOST_TRIED;
  for (const state of before) {
    const choices = choicesIn(game, state);
    if ((left -= choices.length) < 0) return null;
    for (const choice of choices) {
      const after = game.next(state, choice);
      if (game.learnt(viewer, after) !== seen) continue;
      namesOf(game, state, choice).forEach((name, p) => (names[p] ??= new Set()).add(name));
      states.set(game.told.times ? states.size : game.key(after), after);
    }
  }
  return (known[viewer] = { states: [...states.values()], names });
}

/** What was done in a ply, as far as a player can tell: a name, or the names of all who chose at once; null for what stays
 * open. */
export function deduced(play, place, viewer) {
  const isHeard = ([hearer, text]) => (hearer === null || hearer === viewer) && text === play.game.done?.(place.who ?? -1, place.name);
  if (viewer === null || place.who === viewer || place.events.some(isHeard)) return place.name;
  const names = play.game.nodes ? null : explained(play, place, viewer)?.names.map((each) => (each.size === 1 ? [...each][0] : null));
  if (!Array.isArray(place.name)) return names?.[0] ?? null;
  return place.name.map((name, p) => (p === viewer ? name : names?.[p] ?? null));
}

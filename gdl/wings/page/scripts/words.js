// A play in words: what was done, what it is worth, how it ends, and whose turn it is.

/** A name whose records are written as their cards: clubs 2 for Card(clubs, 2). */
export const withCards = ({ told }, name) => name.replace(/\w+\(([^()]+)\)/g, (each, fields) => [fields.replaceAll(", ", " ")].find((text) => told.types.some(({ names, shown }) => shown?.[names.indexOf(each)] === text)) ?? each);

/** What a player did, in the words of the remark behind the action; "" where there is none that says the name, or the whole of it. */
export function sentence({ data, game }, player, name, whole = false) {
  const [found, parts] = (data.sentences ?? []).map(([pattern, parts]) => [new RegExp(pattern).exec(name), parts]).find(([found]) => found) ?? [];
  if (!found || (whole && found.some((_, k) => k && !parts.includes(k)))) return "";
  const words = parts.map((part) => (typeof part === "string" ? part : part ? withCards(game, found[part]) : game.players[player])).join("");
  return parts.includes(0) ? words : `${game.players[player]}: ${words}`;
}

/** The name of an action in words: raise 3 for raise(3), keep 4 4 5 for numbers of dice, bid 2 × 6 as its sentence has it. */
export function spoken({ data, game, shortFor }, name, place = null) {
  const [, head, counts] = /^(\w+)\((\d+(?:, \d+)+)\)$/.exec(name) ?? [];
  const faces = counts?.split(", ").map(Number) ?? [];
  if (data.game.variables.some(({ look, own, count }) => look === "dice" && !own && count === faces.length)) return `${head} ${faces.flatMap((many, k) => Array(many).fill(k + 1)).join(" ") || "–"}`;
  const [, told] = counts ? sentence({ data, game }, 0, name, true).split(`${game.players[0]} ${head} `) : [];
  if (told) return `${head} ${told}`;
  const short = withCards(game, place ? shortFor(name, place.state) : name);
  return short.replace(/^play\b ?(?:\((.*)\)$)?/, (_, inside = "") => inside).replace(/^(\p{L}[\p{L}\d_]*)\((.*)\)$/u, (_, called, rest) => `${called} ${rest}`.replaceAll("_", " "));
}

/** A sentence on what a player, or chance, did. */
export function actInWords(play, player, name, place = null) {
  if (player === null) return `${play.say("chance")}: ${spoken(play, name)}`;
  return sentence(play, player, name) || play.say("{0} plays {1}", play.actor(player, place?.state), spoken(play, name, place));
}

/** What the best move is worth, in words: a proven win with the winner's moves to it, where the line shows them. */
export function verdict(play, { best, values, value, exact, line = [best] }, place = play.at) {
  const [worth, { players }] = [values?.[best] ?? value, play.game];
  if (!worth) return "";
  const winner = winnerOf(worth);
  if (movesToEnd(play, place, [best], 0) === null && (!exact || play.data.scale.chance)) {
    const ahead = worth.map((each, p) => (winner === null || winner === p ? `${players[p]} ${winner === p ? "+" : ""}${shown(play, each, exact)}` : "")).filter(Boolean).join(", ");
    return `: ${exact ? ahead : play.say("{0}, an estimate", [ahead, ...(play.data.unit?.slice(0, 1) ?? [])].join(" "))}`;
  }
  if (winner === null) return `: ${ending(play, worth)}`;
  const moves = movesToEnd(play, place, line, winner);
  return `: ${play.say(moves ? "{0} wins in {1}" : "{0} wins", players[winner], moves)}`;
}

/** Who wins of two who oppose each other; null where nobody does, or others play. */
export function winnerOf(utilities) {
  const [first, second] = utilities.map(Number);
  return utilities.length !== 2 || first + second || !first ? null : Number(second > first);
}

/** How many moves of a player's lead along a line to the end of play; null where it stops before. */
export function movesToEnd({ game }, place, line, player) {
  const { steps, state } = game.along(place.state, line);
  return steps.length === line.length && game.node(state).kind === "end" ? steps.filter((step) => step.player === player).length : null;
}

/** A number as people read it; an estimate as a decimal of few places, in the unit that the file names. */
export function shown({ data }, value, exactly = true) {
  const decimal = Number(value) / (data.unit?.[1] ?? 1);
  return String(exactly ? value : Number(decimal.toFixed(Math.abs(decimal) < 10 ? 2 : 0))).replace("-", "−");
}

/** What everybody gets in words: who wins of two who oppose each other, or alone gets 1 of three or more. */
function ending(play, utilities) {
  const [winner, { players }] = [winnerOf(utilities), play.game];
  if (winner !== null) return play.say(Math.abs(Number(utilities[0])) === 1 ? "{0} wins" : "{0} wins {1}", players[winner], shown(play, utilities[winner]));
  const alone = utilities.length > 2 && utilities.filter(Number).length === 1 ? utilities.findIndex((each) => Number(each) === 1) : -1;
  if (alone >= 0) return play.say("{0} wins", players[alone]);
  const level = utilities.length === 2 && !utilities.some(Number);
  return level ? play.say("a draw") : players.map((name, p) => `${name} ${shown(play, utilities[p])}`).join(", ");
}

/** Whose turn it is, or how the game has ended. */
export function turnInWords(play) {
  const [{ node, viewer }, mover] = [play, play.mover()];
  if (node.kind === "end") return play.say("The game is over: {0}", ending(play, node.utilities));
  if (mover === null) return "";
  const [actor, side] = [play.actor(mover), play.game.players[mover]];
  const player = actor === side ? side : `${actor} (${side})`;
  if (node.kind === "everyone" || node.known === "") return play.say("{0} to choose, unseen by the others", player);
  return play.say(node.known && (viewer === null || viewer === mover) ? "{0} to move at {1}" : "{0} to move", player, node.known);
}

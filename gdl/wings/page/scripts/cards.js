// Drawings of playing cards.
import { element, symbol } from "./elements.js";

const SUITS = { C: "club", D: "diamond", H: "heart", S: "spade", "♣": "club", "♦": "diamond", "♥": "heart", "♠": "spade" };
const RANK = "10|[1-9TJQKA]";
const FACE = new RegExp(`^(?:(${RANK})([CDHS♣♦♥♠])?|([CDHS♣♦♥♠])(${RANK}))$`, "i"); // 10D, as well as d10
const IN_WORDS = [/^(?:(club|diamond|heart|spade)s? (\w+)|(\w+) (club|diamond|heart|spade)s?)$/i, { 11: "J", 12: "Q", 13: "K", 14: "A", jack: "J", queen: "Q", king: "K", ace: "A" }]; // hearts 12, queen hearts
const ROWS = { 1: [50], 2: [18, 82], 3: [18, 50, 82], 4: [18, 39, 61, 82] }; // where pips lie in a column of so many
const COLUMNS = [[], [0, 1], [0, 2], [0, 3], [2], [2, 1], [3], [3, 1], [3, 2], [4, 1], [4, 2]]; // pips at each side, and in the middle

/** What a name says of a playing card: its rank and its suit ("" where it has none); null where it is no such card's. */
export function faceOf(name) {
  const [, rank, suit, first, last] = FACE.exec(name.replace(IN_WORDS[0], (_, suit, after, before, sort) => (suit ?? sort)[0] + (IN_WORDS[1][(after ?? before).toLowerCase()] ?? after ?? before))) ?? [];
  const found = (rank ?? last)?.toUpperCase();
  return !found || (!suit && !first && !/[JQK]/.test(found)) ? null : { rank: found, suit: SUITS[(suit ?? first ?? "").toUpperCase()] ?? "" };
}

/** So many pips: their places on a card of 100 by 140, and whether they stand on their heads. */
function pips(count) {
  const [beside, middle] = COLUMNS[count];
  const between = { 1: beside ? [beside === 4 ? 28 : beside === 3 ? 34 : 50] : [50], 2: beside ? [28, 72] : [18, 82], 3: [18, 50, 82] }[middle] ?? [];
  const all = [...(ROWS[beside] ?? []).flatMap((y) => [[34, y], [66, y]]), ...between.map((y) => [50, y])];
  return all.map(([x, y]) => ({ x, y: 20 + y, turned: y > 50 }));
}

/** The picture of a playing card: its rank and suit in the corner, and pips, a court, or a large sign. */
export function cardPicture({ rank, suit }) {
  const colour = { fill: /heart|diamond/.test(suit) ? "#b3261e" : "#222", stroke: "none" };
  const sign = (x, y, size, turned = false) => symbol(suit, { ...colour, transform: `translate(${x} ${y}) scale(${turned ? -size : size})` });
  const count = rank === "A" ? 1 : rank === "T" ? 10 : Number(rank);
  const inside = count && suit ? pips(count).map(({ x, y, turned }) => sign(x, y, count === 1 ? 46 : 22, turned)) : [symbol(`court-${rank}`, { fill: suit ? colour.fill : "#35557f", stroke: "#fff", transform: "translate(54 84) scale(78)" })];
  return element("svg", { viewBox: "0 0 100 140", "aria-hidden": true }, symbol(`letter-${count === 10 ? 10 : rank}`, { stroke: colour.fill, transform: "translate(15 18) scale(25)" }), ...(suit ? [sign(14, 44, 20)] : []), ...inside);
}

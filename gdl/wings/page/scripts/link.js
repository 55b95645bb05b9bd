// A play as the end of an address: who sits where, the line to the present position, and after a semicolon what else was
// tried. It tells nothing at a glance where something is hidden, for that stands in the link, too.

const MOST_LINK = 8000; // characters: of what is longer the comments are left out, then the variations
const MOST_COMMENT = 500; // characters
const MOST_READING = 3000; // milliseconds, for the variations of a link

/** How a link begins: who sits where, and behind a ~ each thing that is set up otherwise than at first. */
export function startOf({ seated, flipped, preferences, data }) {
  const chosen = Object.entries(preferences).map(([letter, value]) => letter + value);
  return [seated.map((each) => each[0]).join(""), ...(flipped ? ["t"] : []), ...chosen, ...(data.variants && data.variants[0].variant !== data.variant ? [`v${data.variant}`] : [])].join("~");
}

/** The variant that a link names; null where it names none. */
export const variantIn = (link) => link.split("/")[0].split("~").find((each) => each[0] === "v")?.slice(1) ?? null;

/** The link to a play. */
export function linkTo(play) {
  const sides = startOf(play);
  const names = play.path().map(({ name }) => name);
  if (play.data.hidden) return [sides, sealed(names), ...(play.chosen.length ? [sealed(play.chosen)] : [])].join("/"); // with what some have chosen of a move at once
  const line = `${sides}/${names.map(encodeURIComponent).join("/")}`;
  const whole = [true, false].map((comments) => tried(play, comments)).filter(Boolean).map((steps) => `${line};${steps}`);
  return whole.find((text) => text.length <= MOST_LINK) ?? line;
}

/** Everything that was played as steps: a name goes on, `,2` goes two plies back, `=` is a comment. Nothing where the
 * line to the present position says it all. */
function tried(play, comments) {
  const line = new Set(play.path());
  const steps = [];
  let [more, deep] = [false, 0];
  const below = (place, depth) => place.children.map((child) => [child, depth]).reverse();
  const stack = below(play.start, 1);
  while (stack.length) {
    const [place, depth] = stack.pop();
    if (depth <= deep) steps.push(`,${deep - depth + 1}`);
    deep = depth;
    const said = comments ? place.comment.slice(0, MOST_COMMENT).replace(/\p{Surrogate}/gu, "") : "";
    steps.push(encodeURIComponent(place.name), ...(said ? [`=${encodeURIComponent(said)}`] : []));
    more ||= !line.has(place) || said !== "";
    stack.push(...below(place, depth + 1));
  }
  return more ? steps.join("/") : "";
}

/** Take such steps again; false where one is not possible, or they are too many. */
function retry(play, steps) {
  const until = performance.now() + MOST_READING;
  for (const step of steps) {
    if (performance.now() > until) return false;
    if (step[0] === ",") {
      let place = play.at;
      for (let back = Number(step.slice(1)); back > 0 && place.parent; back--) place = place.parent;
      play.stand(place);
    } else if (step[0] === "=") play.at.comment = decodeURIComponent(step.slice(1)).slice(0, MOST_COMMENT);
    else if (!play.push(decodeURIComponent(step))) return false;
  }
  return true;
}

const sealed = (names) => (names.length ? btoa(unescape(encodeURIComponent(JSON.stringify(names)))).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_") : "");
const unsealed = (text) => JSON.parse(decodeURIComponent(escape(atob(text.replaceAll("-", "+").replaceAll("_", "/")))));

/** The play of a link, or a new one where it is empty or cannot be read. */
export function readLink(play, link) {
  const [line, tree] = link.split(";");
  const [start, ...names] = line.split("/");
  const [sides, ...more] = start.split("~");
  play.flipped = more.includes("t");
  play.preferences = Object.fromEntries(more.filter((each) => /^[ls][\d.]+$/.test(each)).map((each) => [each[0], each.slice(1)]));
  if (sides.length === play.game.players.length && /^[pc]+$/.test(sides)) play.seated = [...sides].map((each) => (each === "p" ? "person" : "computer"));
  play.restart();
  try {
    const sealedNames = play.data.hidden ? names[0] && unsealed(names[0]) : link && names.filter(Boolean).map(decodeURIComponent);
    const all = retry(play, tree && !play.data.hidden ? tree.split("/") : []);
    if (!play.begin(sealedNames || play.data.played) || !all) play.notice = play.say("The link names a move that is not possible, or too many.");
    const chosen = play.node.kind === "everyone" && names[1] ? unsealed(names[1]) : [];
    for (const name of chosen) if (play.node.options[play.mover()]?.some((each) => each.name === name)) play.chosen[play.mover()] = name;
    if (play.mover() === null) play.chosen = [];
  } catch {
    play.restart();
    play.begin([]);
    play.notice = play.say("The link cannot be read: this is a new game.");
  }
}

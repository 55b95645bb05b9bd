// Moves by buttons and by their names.
import { button, tell } from "./elements.js";
import { isShortFor } from "./opening.js";
import { Part } from "./play.js";
import { actInWords, sentence, shown, spoken } from "./words.js";

const MOST_BUTTONS = 300;

export class Moves extends Part {
  constructor(play, squares, things) {
    super(play);
    this.squares = squares;
    this.things = things;
    for (const id of ["values", "every"]) byId(id).addEventListener("change", () => play.show());
    byId("typed").addEventListener("submit", (event) => { event.preventDefault(); this.type(byId("move").value.trim()); });
  }

  /** Play what somebody has written: the name of an action, the words by which the page tells it, with or without the
   * player, or a short one that fits one alone. */
  type(written) {
    const { play } = this;
    const [player, side] = [play.mover(), play.game.players[play.mover()]];
    const tried = [written, `${side} ${written}`, `${side}: ${written}`].map((each) => each.toLowerCase());
    const forms = [({ name }) => [name], ({ name }) => [spoken(play, name, play.at), sentence(play, player, name), actInWords(play, player, name, play.at)]];
    const fits = [...forms.map((told) => (option) => told(option).some((each) => tried.includes(each.toLowerCase()))), (option) => isShortFor(this.squares, written, option)];
    const fitting = fits.map((fit) => play.options().filter(fit)).find(({ length }) => length) ?? [];
    const refused = () => (fitting.length ? play.say("“{0}” may be {1}.", written, fitting.map(({ name }) => name).join(", ")) : this.squares.refusal(written, [], ({ name }) => name === written, fits[2]));
    if (fitting.length !== 1) { tell(written && refused()); return; }
    byId("move").value = "";
    play.go(fitting[0].name);
  }

  /** The buttons for what no click on a board does; for everything where that is asked for. */
  show() {
    byId("moves-part").hidden = !this.play.isOpen();
    const options = this.play.isOpen() ? this.play.options() : [];
    const fitting = this.play.picked.length ? options.filter((option) => this.squares.begins(option, this.play.picked)) : options;
    const values = byId("values").checked ? this.play.at.found : null;
    const clickable = new Set([...byId("table").querySelectorAll("button[title]")].map((each) => each.title)); // cards and heaps
    const named = byId("values").checked || byId("every").checked ? [...fitting] : fitting.filter((option) => !this.squares.isClickable(option) && !this.things.isByDice(option) && !clickable.has(option.name));
    const worth = ({ name }) => Number(values?.values[name]?.[this.play.mover()] ?? -Infinity);
    if (values) named.sort((a, b) => worth(b) - worth(a));
    const listed = this.play.at.listed ?? MOST_BUTTONS; // how many actions have buttons in this position
    const more = button(this.play.say("{0} more", named.length - listed), () => { this.play.at.listed = listed + MOST_BUTTONS; this.play.show(); });
    byId("moves").replaceChildren(...named.slice(0, listed).map((option) => this.moveButton(option, values)), ...(named.length > listed ? [more] : []));
    byId("names").replaceChildren(...options.slice(0, MOST_BUTTONS).map((option) => new Option(option.name)));
  }

  moveButton({ name }, values) {
    const made = button(spoken(this.play, name, this.play.at), () => this.play.go(name), name === this.play.advised ? "best" : "");
    if (made.textContent !== name) made.title = name;
    const worth = values?.values[name];
    if (worth) made.append(make("small", { textContent: ` ${shown(this.play, worth[this.play.mover()], values.exact)}${values.exact ? "" : "?"}` }));
    return made;
  }
}

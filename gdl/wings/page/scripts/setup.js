// What is set up before a play: which variant, who plays which side, how well and how long the computer thinks. All of it
// stands in the link.
import { linkTo, startOf } from "./link.js";
import { Part } from "./play.js";

export class SetUp extends Part {
  shown = this.play.preferences; // which are chosen on the page,
  first = { level: byId("level").value, seconds: byId("seconds").value }; // and at first

  constructor(play) {
    super(play);
    const { data, game } = this;
    const begins = game.node(game.initial()).player;
    const called = (name, p) => (p === begins ? play.say("{0}, who begins", name) : name);
    byId("sides").replaceChildren(...game.players.map((name, p) => new Option(called(name, p), String(p))), new Option(play.say("everybody"), "all"), new Option(play.say("nobody"), "none"));
    byId("sides").addEventListener("change", () => play.sit(game.players.map((_, p) => ([String(p), "all"].includes(byId("sides").value) ? "person" : "computer"))));
    byId("variant").replaceChildren(...data.variants.map(({ variant, title }) => new Option(title, variant)));
    byId("variant").value = data.variant;
    byId("variant").parentElement.hidden = data.variants.length < 2;
    byId("variant").addEventListener("change", () => {
      location.hash = startOf({ ...play, data: { ...data, variant: byId("variant").value } });
      location.reload(); // the rules are others
    });
    for (const id of ["level", "seconds"]) byId(id).addEventListener("change", () => this.prefer(id));
  }

  /** Keep what was chosen, in the link too. */
  prefer(id) {
    const { value } = byId(id);
    const { [id[0]]: _, ...others } = this.play.preferences;
    this.play.preferences = this.shown = value === this.first[id] ? others : { ...others, [id[0]]: value };
    history.replaceState(null, "", `#${linkTo(this.play)}`);
  }

  show() {
    if (this.shown !== this.play.preferences) { // they come from a link
      for (const id of ["level", "seconds"]) {
        byId(id).value = this.play.preferences[id[0]] ?? this.first[id];
        byId(id).value ||= this.first[id]; // of a link that names what there is not
      }
      this.shown = this.play.preferences;
    }
    const people = this.play.seated.flatMap((each, p) => (each === "person" ? [String(p)] : []));
    byId("sides").value = people.length === this.game.players.length ? "all" : people.length > 1 ? "" : people[0] ?? "none";
  }
}

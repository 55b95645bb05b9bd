// The looks that Visual Studio Code's own reader of grammars gives to the words of files, as JSON.
//   node textmate.mjs NODE_MODULES GRAMMAR FILE…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , modules, grammar, ...files] = process.argv;
const require = createRequire(`${modules}/`);
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const { OnigScanner, OnigString, loadWASM } = require("vscode-oniguruma");

await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new OnigScanner(patterns),
    createOnigString: (text) => new OnigString(text),
  }),
  loadGrammar: async () => parseRawGrammar(readFileSync(grammar, "utf8"), "game.json"),
});
const game = await registry.loadGrammar("source.game");
const looks = (file) => {
  let stack = INITIAL;
  return readFileSync(file, "utf8").split("\n").flatMap((line) => {
    const found = game.tokenizeLine(line, stack);
    stack = found.ruleStack;
    return found.tokens.map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex), scopes.at(-1)]);
  });
};
console.log(JSON.stringify(files.map(looks)));

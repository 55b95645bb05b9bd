"use strict";
// Starts `gdl lsp` for game files, and shows what it says.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("gdl").get("command");
  client = new LanguageClient("gdl", "gdl", { command, args }, { documentSelector: [{ language: "game" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();

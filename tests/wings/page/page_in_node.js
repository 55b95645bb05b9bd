// A page from the standard input, with a test's script on it, opened in small_dom.js; what the script posts is printed,
// with all that went wrong.
"use strict";
const { openPage } = require("./small_dom.js");

const html = require("fs").readFileSync(0, "utf8");
const [faults, session] = [[], {}];
const finish = (result) => {
  console.log(JSON.stringify({ ...result, faults: [...(result.faults ?? []), ...faults] }));
  process.exit(0);
};
const fault = (text) => {
  faults.push(text);
  setTimeout(() => finish({ deeds: [] }), 2000); // where the page posts nothing any more
};
process.on("unhandledRejection", (error) => fault(error.stack));
const open = (hash) => openPage(html, { hash, session, told: finish, fault, reloaded: open });
open("");

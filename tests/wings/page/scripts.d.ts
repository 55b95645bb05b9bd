// What scripts meet in browsers, loosely, for `tsc --checkJs`: elements and events have whatever a script asks of them.
interface EventTarget { [name: string]: any }
interface Event { [name: string]: any }
declare module "*";

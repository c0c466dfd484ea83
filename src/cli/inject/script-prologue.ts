const HASHBANG = /^\uFEFF?(?:#![^\r\n\u2028\u2029]*(?:\r?\n)?)?/;
/** White space and comments; what follows them decides nothing, so that this never goes back. */
const GAP = /(?:\s|\/\/[^\r\n\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\r\n]|\\[\s\S])*"|'(?:[^'\\\r\n]|\\[\s\S])*'/y;
/** What makes an expression of a string and the line below it. */
const GOES_ON = /(?!\+\+|--)(?:[.([+\-*/%,?<>=&|^`]|!=|in\b|instanceof\b)/y;
const REST_OF_LINE = /[ \t]*\r?\n/y;

/**
 * How much of a script must stay in front of everything: a byte order mark, a hashbang, and the directives (`"use strict"`) with
 * the rest of their line.
 */
export function prologueLength(script: string): number {
  let end = HASHBANG.exec(script)?.[0].length ?? 0;
  let isDirective = false;
  for (let at = end; ; at = end) {
    const string = skip(STRING, script, skip(GAP, script, at) ?? at);
    if (string === null) break;
    const behind = skip(GAP, script, string) ?? string;
    const isEnded = script[behind] === ';';
    if (!isEnded && !isAlone(script, string, behind)) break;
    end = isEnded ? behind + 1 : string;
    isDirective = true;
  }
  return isDirective ? (skip(REST_OF_LINE, script, end) ?? end) : end;
}

/** Whether a statement of nothing but a string ends where the gap behind it is. */
function isAlone(script: string, from: number, to: number): boolean {
  if (to === script.length) return true;
  return /[\r\n\u2028\u2029]/.test(script.slice(from, to)) && skip(GOES_ON, script, to) === null;
}

/** Where a match that begins at a place ends; null when there is none. */
function skip(expression: RegExp, text: string, at: number): number | null {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : null;
}

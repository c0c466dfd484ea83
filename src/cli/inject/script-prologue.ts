const HASHBANG = /^\uFEFF?(?:#![^\r\n\u2028\u2029]*(?:\r?\n)?)?/;
/** Whitespace and comments; never backtracks, because what follows does not matter. */
const GAP = /(?:\s|(?:\/\/|<!--)[^\r\n\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*"|'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*'/y;
/** Tokens that continue a string into an expression on the next line. */
const GOES_ON = /(?!\+\+|--)(?:[.([+\-*/%,?<>=&|^`]|!=|in(?:stanceof)?(?![\w$\\\u0080-\uffff]))/y;
const REST_OF_LINE = /[ \t]*\r?\n/y;

/**
 * How much of a script must stay first: a byte order mark, a hashbang, and directives (`"use strict"`) with the rest of
 * their line.
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

/** Whether only whitespace and comments follow a position. */
export const isCodeOver = (script: string, at: number): boolean => skip(GAP, script, at) === script.length;

/** Whether a statement that is only a string ends at the gap after it. */
function isAlone(script: string, from: number, to: number): boolean {
  if (to === script.length) return true;
  return /[\r\n\u2028\u2029]/.test(script.slice(from, to)) && skip(GOES_ON, script, to) === null;
}

/** Where a match that begins at a position ends; null without a match. */
function skip(expression: RegExp, text: string, at: number): number | null {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : null;
}

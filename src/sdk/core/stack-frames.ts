/** A frame of a JavaScript stack as the engine gave it, the innermost first. */
export interface Frame {
  readonly function: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where a line names the place of a frame: at its end. Each expression reads a line once, whatever stands there: messages are lines of a stack, too. */
const PLACE = /:(\d+):(\d+)(\)?)$/;
/** V8: `    at name (file:1:2)` or `    at file:1:2`. */
const V8 = /^\s*at (?:(.+?) \()?(?:async )?(.+)/s;
/** SpiderMonkey and JavaScriptCore: `name@file:1:2`. */
const AT = /^(.*?)@(.+)/s;
const MOST = 100;

/** Reads the text of a stack; lines that are not frames are left out. */
export function framesOf(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const text of stack.split('\n')) {
    const [place = '', line, column, bracket] = PLACE.exec(text) ?? [];
    const before = place && frames.length < MOST ? text.slice(0, -place.length) : '';
    const [, name, file] = V8.exec(before) ?? (bracket ? null : AT.exec(before)) ?? [];
    if (file) frames.push({ function: name || null, file, line: Number(line), column: Number(column) });
  }
  return frames;
}

/** A frame of a JavaScript stack as the engine gave it, innermost first. */
export interface Frame {
  readonly function: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** V8: `    at name (file:1:2)` or `    at file:1:2`. */
const V8 = /^\s*at (?:(.+?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/;
/** SpiderMonkey and JavaScriptCore: `name@file:1:2`. */
const AT = /^(.*?)@(.+?):(\d+):(\d+)$/;
const MOST = 100;

/** Parses the text of a stack, skipping lines that are not frames. */
export function framesOf(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const text of stack.split('\n')) {
    const [, name, file, line, column] = V8.exec(text) ?? AT.exec(text) ?? [];
    if (file && frames.length < MOST)
      frames.push({ function: name || null, file, line: Number(line), column: Number(column) });
  }
  return frames;
}

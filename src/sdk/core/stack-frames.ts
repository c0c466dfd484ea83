/** A frame of a JavaScript stack as the engine gave it, innermost first. */
export interface Frame {
  readonly function: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * V8: `    at name (file:1:2)` or `    at file:1:2`; SpiderMonkey and JavaScriptCore: `name@file:1:2`. It looks at the end first, and reads any other
 * line, as one of a message, no further: all takes time that grows with the length.
 */
const LINE = /^(?=.*:\d+:\d+\)?$)(?:\s*at (?:async )?(?:(.+?) \()?|(.*?)@)(.+):(\d+):(\d+)\)?$/s;
const MOST = 100;

/** Parses the text of a stack, skipping lines that are not frames. */
export const framesOf = (stack: string): Frame[] =>
  stack
    .split('\n')
    .flatMap((text) => {
      const [, v8, other, file, line, column] = LINE.exec(text) ?? [];
      return file ? { function: v8 || other || null, file, line: Number(line), column: Number(column) } : [];
    })
    .slice(0, MOST);

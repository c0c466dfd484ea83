/**
 * A line of a stack with a place, as every engine prints it: `…:1:2`, `…:1:2)`, in WebAssembly `…:0x1f`. Other lines,
 * and longer ones, belong to the message.
 */
const PLACE = /^.{0,9999}:(\d+|0x[\da-f]+)\)?$/;
const MOST = 100;
/** The file of such a line: `    at name (file:1:2)`, `    at file:1:2`, `name@file:1:2`. */
const FILE = /^(?:\s*at (?:async )?(?:.+? \()?|.*?@)(.+):\d+:\d+\)?$/m;

/** The lines of a stack that are frames; the server, which knows how each engine prints them, reads them. */
export const stackLines = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => PLACE.test(line))
    .slice(0, MOST);

/** The file of the innermost frame. */
export const fileOf = (stack: string): string | undefined => FILE.exec(stack)?.[1];

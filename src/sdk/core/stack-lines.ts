/**
 * A line of a stack with a place, as every engine prints it: `…:1:2`, `…:1:2)`, in WebAssembly `…:0x1f`. It looks at
 * the end first: other lines belong to the message, which may be long.
 */
const PLACE = /:(\d+|0x[\da-f]+)\)?$/;
const MOST = 100;
const LONGEST = 9_999;
/** The file of such a line: `    at name (file:1:2)`, `    at file:1:2`, `name@file:1:2`. */
const FILE = /^(?:\s*at (?:async )?(?:.+? \()?|.*?@)(.+):\d+:\d+\)?$/;

/** The lines of a stack that are frames; the server, which knows how each engine prints them, reads them. */
export const stackLines = (stack: string): string[] =>
  stack
    .split('\n')
    .filter((line) => line.length < LONGEST && PLACE.test(line))
    .slice(0, MOST);

/** The file of the innermost frame. */
export const fileOf = (stack: string): string | undefined => FILE.exec(stackLines(stack)[0] ?? '')?.[1];

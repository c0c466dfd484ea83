import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const words = suite('unknown command-line arguments');
const compiled = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The exit code, and what the command printed to standard output and standard error. */
function ended(command: string, args: readonly string[]): Promise<[code: number, said: string, failure: string]> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(compiled, command, 'run.js'), ...args], (error, said, failure) =>
      resolve([error === null ? 0 : Number(error.code), said, failure]),
    );
  });
}

for (const [command, args, says] of [
  ['bench', ['floor', 'nonsense'], /^No bench is called nonsense; there are: .*\bfloor\b.*\n$/],
  ['check', ['imports', 'nonsense'], /^No step is called nonsense; there are: .*\bimports\b.*\n$/],
  ['torture', ['redis', '3', 'nonsense'], /^No torture run is called .*\bnonsense; there are: .*\n$/],
  ['torture', ['3'], /^No torture run is called 3; there are: .*\n$/],
  ['hostile', ['nonsense'], /^Hostile requests do not know nonsense; there are: fuzz, .*\n$/],
  ['hostile', ['fuzz', 'nonsense'], /^No face is called nonsense; there are: rest, graphql, targeting\n$/],
] as const) {
  words(`${command} ${args.join(' ')}: one line lists the known words, and nothing is started`, async () => {
    const [code, said, failure] = await ended(command, args);
    assert.equal([code, failure], [1, '']);
    assert.match(said, says);
  });
}

words.run();

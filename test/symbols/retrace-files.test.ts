import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMapping } from '../../src/symbols/retrace/mapping.js';
import { buildMappingIndex } from '../../src/symbols/retrace/mapping-index.js';
import { retraceText } from '../../src/symbols/retrace/retrace-text.js';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'symbols', 'java');

/** A mapping as R8 writes it, a trace, and what R8's rules make of it. */
interface R8Case {
  name: string;
  mapping: string[];
  obfuscated: string[];
  retraced: string[];
}

/**
 * Both methods are called `a` and contain line 38: neither the mapping nor ProGuard's own retrace can tell which one it
 * was.
 */
const UNDECIDED = '\t<OR> at shop.Cart$Rules.named(Cart.java:38)';

const x = suite('retrace of our own mappings');

const mappingOf = (bytes: Buffer) => openMapping(buildMappingIndex(bytes).table);
const text = (name: string) => readFileSync(join(FOLDER, 'built', name), 'utf8');

/** The frames of each failure; messages may contain the obfuscated names of methods. */
function framesOf(trace: string): Record<string, string[]> {
  const failures = trace.split(/^== /m).slice(1);
  return Object.fromEntries(
    failures.map((failure) => {
      const [name = '', ...lines] = failure.split('\n');
      return [name, lines.filter((line) => /^\s+(?:at |<OR>|\.\.\.)/.test(line))];
    }),
  );
}

x('the stacks of a program obfuscated by ProGuard become those of its sources', () => {
  const mapping = mappingOf(gunzipSync(readFileSync(join(FOLDER, 'built', 'mapping.txt.gz'))));
  const truth = framesOf(text('sources.txt'));
  const ours = framesOf(retraceText(mapping, text('obfuscated.txt')));
  assert.is(Object.keys(truth).length, 6);
  assert.is(ours.negative?.filter((frame) => frame === UNDECIDED).length, 1);
  assert.equal({ ...ours, negative: ours.negative?.filter((frame) => frame !== UNDECIDED) }, truth);
  console.log(`  all ${Object.values(truth).flat().length} frames agree`);
});

x("ProGuard's own retrace agrees, and says more where it cannot tell overloads apart", () => {
  const truth = framesOf(text('sources.txt'));
  for (const [failure, frames] of Object.entries(framesOf(text('retraced.txt'))))
    assert.equal(
      frames.filter((frame) => truth[failure]?.includes(frame)),
      truth[failure],
    );
});

x('the stacks of a program obfuscated by R8, with inlined calls, become those of its sources', () => {
  const mapping = mappingOf(gunzipSync(readFileSync(join(FOLDER, 'built', 'r8', 'mapping.txt.gz'))));
  const truth = framesOf(text('sources.txt'));
  const ours = framesOf(retraceText(mapping, text('r8/obfuscated.txt')));
  // R8 knew that this call always throws, and compiled it to a throw: no mapping contains the frames inside it.
  const compiledAway = ['\tat shop.Cart.parse(Cart.java:21)', '\tat shop.Cart.add(Cart.java:17)'];
  assert.equal({ ...ours, wrapped: ours.wrapped?.toSpliced(3, 0, ...compiledAway) }, truth);
});

for (const { name, mapping, obfuscated, retraced } of JSON.parse(
  readFileSync(join(FOLDER, 'r8-cases.json'), 'utf8'),
) as R8Case[]) {
  x(`R8: ${name}`, () => {
    const opened = mappingOf(Buffer.from(`${mapping.join('\n')}\n`));
    assert.equal(retraceText(opened, obfuscated.join('\n')).split('\n'), retraced);
  });
}

x.run();

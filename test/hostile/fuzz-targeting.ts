import { randomInt } from 'node:crypto';
import { allocate } from '../../src/targeting/rules/allocation.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import { Subject } from '../../src/targeting/subject.js';
import { compareEvaluators } from '../targeting/compare-evaluators.js';
import { accepted, decidingTime } from '../targeting/hostile-cases.js';

const CASES = 1_000_000;
const BATCH = 20_000;
const IDS = 1_000_000;
const MOST_MS = 1;

/**
 * `npm run hostile -- fuzz targeting [cases] [seed]`: compares the evaluator with the naive one on a million generated
 * cases, checks the distribution of a split within a rollout over a million ids, and times the hardest rules that may
 * be stored.
 *
 * @returns the exit code.
 */
export function fuzzTargeting([cases = String(CASES), seed = String(randomInt(2 ** 31))]: readonly string[]): number {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  say(`targeting, seed ${seed}`);
  try {
    for (let done = 0; done < Number(cases); done += BATCH) {
      compareEvaluators(Math.min(BATCH, Number(cases) - done), Number(seed) + done);
    }
    say(`${cases} cases agree`);
    const chiSquare = distribution(seed);
    // 3 degrees of freedom: chance exceeds 16.3 once in a thousand runs.
    say(`${IDS} ids in a split of 1 : 2 : 7 within 40 %: chi-square ${chiSquare.toFixed(1)} (at most 16.3)`);
    const times = accepted.map(([name, rules, text]) => ({ name, ...decidingTime(rules, text) }));
    for (const { name, milliseconds } of times)
      say(`${name}: ${milliseconds.toFixed(3)} ms of CPU (at most ${MOST_MS})`);
    return chiSquare < 16.3 && times.every(({ milliseconds }) => milliseconds < MOST_MS) ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function distribution(salt: string): number {
  const weights = [1, 2, 7];
  const split = allocate(
    null,
    weights.map((weight, at) => ({ value: `v${at}`, weight })),
  );
  const compiled = compileRules([{ conditions: [], percentage: 40, split }], salt);
  const seen = [0, 0, 0, 0];
  for (let id = 0; id < IDS; id += 1) {
    const outcome = decideRules(compiled, new Subject({ distinctId: `user-${id}` }));
    seen[outcome] = (seen[outcome] ?? 0) + 1;
  }
  const expected = [0.6, 0.04, 0.08, 0.28].map((part) => part * IDS);
  return expected.reduce((sum, count, at) => sum + ((seen[at] ?? 0) - count) ** 2 / count, 0);
}

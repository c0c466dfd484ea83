import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AttemptResult } from '../../../../src/modules/webhooks/delivery/delivery-transport.js';
import { judge, PAUSES_MS, retryAfterMs } from '../../../../src/modules/webhooks/delivery/retry-schedule.js';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const middle = (): number => 0.5;

const schedule = suite('retry schedule');

schedule('ten attempts, then dead', () => {
  assert.equal(
    PAUSES_MS.map((pause) => pause / 1000),
    [0, 5, 60, 300, 1800, 7200, 18000, 36000, 50400, 72000],
  );
  for (let made = 1; made < 10; made++) {
    assert.equal(judge(answered(500), made, NOW, middle), { kind: 'retry', at: NOW + (PAUSES_MS[made] ?? Number.NaN) });
  }
  assert.equal(judge(answered(500), 10, NOW, middle), { kind: 'dead', reason: 'attempts_exhausted' });
});

schedule('jitter stays within a fifth on either side', () => {
  assert.equal(
    judge(answered(500), 2, NOW, () => 0),
    { kind: 'retry', at: NOW + 48_000 },
  );
  assert.equal(
    judge(answered(500), 2, NOW, () => 0.999999),
    { kind: 'retry', at: NOW + 72_000 },
  );
});

schedule('2xx delivers, 410 ends, everything else is retried', () => {
  for (const status of [200, 201, 202, 204, 299])
    assert.equal(judge(answered(status), 1, NOW, middle), { kind: 'delivered' });
  for (const status of [300, 301, 304, 307, 400, 401, 404, 408, 429, 500, 503, 600, null]) {
    assert.is(judge(answered(status), 1, NOW, middle).kind, 'retry', String(status));
  }
  assert.equal(judge(answered(410), 1, NOW, middle), { kind: 'dead', reason: 'gone' });
  assert.equal(judge(answered(204), 10, NOW, middle), { kind: 'delivered' });
});

schedule('Retry-After lengthens the pause on 429 and 503, up to a day, and never shortens it', () => {
  const pauseOf = (status: number, retryAfter: string, made = 1): number => {
    const verdict = judge({ ...answered(status), retryAfter }, made, NOW, middle);
    return verdict.kind === 'retry' ? verdict.at - NOW : Number.NaN;
  };
  assert.is(pauseOf(429, '120'), 120_000);
  assert.is(pauseOf(503, '120'), 120_000);
  assert.is(pauseOf(500, '120'), 5_000);
  assert.is(pauseOf(503, '1'), 5_000);
  assert.is(pauseOf(503, '1', 5), 7_200_000);
  assert.is(pauseOf(429, '99999999999999999999'), 86_400_000);
  assert.is(pauseOf(429, 'Sun, 01 Mar 2026 12:10:00 GMT'), 600_000);
  for (const odd of ['', '-5', '1e9', 'soon', '2026-03-02', 'Sun, 01 Mar 2020 12:10:00 GMT'])
    assert.is(pauseOf(429, odd), 5_000, odd);
  assert.is(retryAfterMs(null, NOW), 0);
});

schedule.run();

function answered(status: number | null): AttemptResult {
  return { status, failure: status === null ? 'timeout' : null, latencyMs: 1, answer: '', retryAfter: null };
}

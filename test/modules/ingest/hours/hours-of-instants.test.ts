import * as assert from 'uvu/assert';
import { HOUR_MS } from '../../../../src/kernel/values/durations.js';
import { appSuite } from '../../../support/factories/world-suite.js';

const hours = appSuite('the hours of instants and of event ids');

const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;

/** Instants around hours, across many dates. */
function instantsFrom(year: number): number[] {
  const hour = Date.UTC(year, 5, 15, 12);
  return [...Array(20).keys()].flatMap((n) =>
    [-1, 0, 1, 59_999, 60_000, HOUR_MS - 1].map((offset) => hour + n * 7_919 * HOUR_MS + offset),
  );
}

hours('match arithmetic, for the distant past and future', async ({ test }) => {
  const instants = [100, 1582, 1969, 1999, 2026, 9000].flatMap(instantsFrom);
  const { rows } = await test.app.pool.query<{ hour: Date }>(
    `select hour_of(to_timestamp(ms / 1000.0)) as hour from unnest($1::bigint[]) with ordinality as t(ms, n) order by n`,
    [instants],
  );
  assert.equal(
    rows.map(({ hour }) => hour.getTime()),
    instants.map((ms) => floor(ms, HOUR_MS)),
  );
});

hours('and minutes equal those of the id', async ({ test }) => {
  const instants = [1970, 2026, 9000].flatMap(instantsFrom);
  const ids = instants.map((ms) => {
    const hex = ms.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`;
  });
  const { rows } = await test.app.pool.query<{ hour: Date; minute: number }>(
    `select event_id_hour(id) as hour, event_id_minute(id) as minute from unnest($1::uuid[]) with ordinality as t(id, n) order by n`,
    [ids],
  );
  assert.equal(
    rows.map(({ hour, minute }) => [hour.getTime(), minute]),
    instants.map((ms) => [floor(ms, HOUR_MS), Math.floor((ms % HOUR_MS) / 60_000)]),
  );
});

hours.run();

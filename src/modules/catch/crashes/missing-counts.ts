import type { EntityManager } from '@mikro-orm/postgresql';
import { systemCaller } from '../../../kernel/context.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import type { Logger } from '../../../kernel/logger.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import { lockSymbols } from '../symbols/pending-events.sql.js';

/** How many days (UTC), including today, are counted and shown. */
const COUNTED_DAYS = 31;

interface CountedDay {
  project_id: string;
  environment: string;
  day: string;
}

/**
 * Maintains the days that missing symbols are counted over. Triggers count what events miss as it changes, by day and in total; what
 * remains are days that are too old, and days with a note, which no trigger has counted.
 */
export class MissingCounts {
  constructor(
    private readonly tx: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Counts days with a note, and removes those that are no longer shown. */
  async count(now: Date, signal?: AbortSignal): Promise<void> {
    const caller = systemCaller('symbols');
    const first = new Date(now.getTime() - (COUNTED_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const { expired, noted } = await this.tx.write(caller, async ({ em }) => {
      await em.execute('update crash_missing_window set first = ? where first < ?', [first, first]);
      await em.execute('delete from crash_missing_note where day < ?', [first]);
      return {
        expired: await em.execute<CountedDay[]>(
          'select distinct project_id, environment, day::text from crash_missing_day where day < ? order by 1, 2, 3',
          [first],
        ),
        noted: await em.execute<CountedDay[]>(
          'select project_id, environment, day::text from crash_missing_note order by 1, 2, 3',
        ),
      };
    });
    const each = async (days: readonly CountedDay[], change: typeof count): Promise<void> => {
      for (const day of days) {
        signal?.throwIfAborted();
        await allOrEach(
          [day],
          () => this.tx.write(caller, ({ em }) => change(em, day)),
          (_day, error) => this.logger.error({ err: error, ...day }, 'the missing symbols of a day cannot be counted'),
        );
      }
    };
    await each(expired, forget);
    await each(noted, count);
  }
}

const TOTAL = 'select total_missing_symbols(?, ?, ?::text[])';

async function forget(em: EntityManager, { project_id, environment, day }: CountedDay): Promise<void> {
  await lockSymbols(em, project_id);
  const gone = await em.execute<{ missing: string }[]>(
    'delete from crash_missing_day where project_id = ? and environment = ? and day = ? returning missing',
    [project_id, environment, day],
  );
  await em.execute(TOTAL, [project_id, environment, textArray(gone.map(({ missing }) => missing))]);
}

async function count(em: EntityManager, { project_id, environment, day }: CountedDay): Promise<void> {
  // Anyone who adds to the counts holds this lock.
  await lockSymbols(em, project_id);
  const place = [project_id, environment, day];
  await em.execute('delete from crash_missing_note where project_id = ? and environment = ? and day = ?', place);
  const rows = await em.execute<{ missing: string }[]>(
    `select missing from crash_missing_day where project_id = ? and environment = ? and day = ?
      union select unnest(missing) from crash_event where project_id = ? and environment = ? and missing <> '{}'
        and received_at >= ?::timestamp at time zone 'UTC' and received_at < (?::date + 1)::timestamp at time zone 'UTC'`,
    [...place, ...place, day],
  );
  const symbols = textArray(rows.map(({ missing }) => missing));
  await em.execute('select recount_missing_symbols(?, ?, ?, ?::text[])', [...place, symbols]);
  await em.execute(TOTAL, [project_id, environment, symbols]);
}

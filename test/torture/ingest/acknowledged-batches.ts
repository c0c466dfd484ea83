import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Events in every batch, which also contains a person. */
const EVENTS = 19;
const PAUSE_AFTER_FAILURE_MS = 100;
/** Each client's pause after a batch, when the test needs the kill and not the load. */
export const QUICK_PAUSE_MS = 20;

/** What became of the batches that clients sent. */
export interface Findings {
  acknowledged: number;
  /** Acknowledged and missing, or stored more often than sent. */
  lost: number;
  /** Stored only in part, acknowledged or not. */
  partial: number;
  /** Answers by status; requests without an answer under 0. */
  statuses: ReadonlyMap<number, number>;
}

/**
 * Clients that send batches, without a pause unless one is given, and remember which were acknowledged, whatever
 * happens to the server.
 */
export class BatchClients {
  private readonly acknowledged = new Set<string>();
  private readonly statuses = new Map<number, number>();
  private stopping = false;
  private readonly loops: Promise<void>[] = [];
  private waiting: (() => void)[] = [];
  private sent = 0;

  /** `keys` are used in turn, so that none reaches its rate limit. */
  constructor(
    private readonly url: () => string,
    private readonly keys: readonly string[],
    clients: number,
    private readonly pauseMs = 0,
  ) {
    for (let i = 0; i < clients; i++) this.loops.push(this.loop());
  }

  /** Resolves with the next acknowledgement. */
  nextAcknowledgement(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.loops);
  }

  /** Compares what was acknowledged with what is stored. */
  async findings(database: pg.Client | pg.Pool): Promise<Findings> {
    const events = await counted(
      database,
      `select distinct_id as id, count(*)::int as n from event where event_name = 'torture' group by 1`,
    );
    const persons = await counted(
      database,
      `select distinct_id as id, 1 as n from person_id where distinct_id like 'torture-%'`,
    );
    let lost = 0;
    let partial = 0;
    for (const id of this.acknowledged) if (events.get(id) !== EVENTS || !persons.has(id)) lost++;
    for (const id of new Set([...events.keys(), ...persons.keys()])) {
      if (events.get(id) !== EVENTS || !persons.has(id)) partial++;
    }
    return { acknowledged: this.acknowledged.size, lost, partial, statuses: this.statuses };
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      const id = `torture-${randomUUID()}`;
      const status = await this.send(id);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 200) {
        this.acknowledged.add(id);
        for (const resolve of this.waiting.splice(0)) resolve();
        if (this.pauseMs > 0) await sleep(this.pauseMs);
      } else {
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  private async send(id: string): Promise<number> {
    const key = this.keys[this.sent++ % this.keys.length] as string;
    try {
      const answer = await fetch(`${this.url()}/api/v1/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: batchOf(id),
        signal: AbortSignal.timeout(15_000),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }
}

/** The statuses in one line, such as `200: 5121, 503: 17, no answer: 40`. */
export const statusesText = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses].map(([status, n]) => `${status === 0 ? 'no answer' : status}: ${n}`).join(', ');

function batchOf(id: string): string {
  const track = {
    type: 'track',
    payload: { event_name: 'torture', distinct_id: id, properties: { text: 'x'.repeat(200) } },
  };
  const people = { type: 'people', payload: { distinct_id: id, properties: { sent: true } } };
  return JSON.stringify({ operations: [people, ...Array.from({ length: EVENTS }, () => track)] });
}

async function counted(database: pg.Client | pg.Pool, sql: string): Promise<Map<string, number>> {
  const { rows } = await database.query<{ id: string; n: number }>(sql);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

import type { Pool } from 'pg';
import type { EventLog } from '../../../events/event-log.js';
import type { Clock } from '../../../kernel/clock.js';
import { codeOf } from '../../../kernel/database/database-failures.js';
import { isStorable } from '../../../kernel/text.js';
import { switchFailure } from '../switch.errors.js';
import { type HaltRow, haltFlagsSql, haltFlagsValues, type RequestedHalt } from './halt-flags.sql.js';
import type { HaltRequest } from './halt-request.js';
import { FLAG_COLUMNS, type HaltCaller, type HaltedFlag } from './halted-flag.js';

const HALT_FREE = { name: 'halt-free-flags', text: haltFlagsSql('skip locked') };
const HALT_IN_TURN = { name: 'halt-flag-in-turn', text: haltFlagsSql('') };
const FIND = `select ${FLAG_COLUMNS} from flag f where project_id = $1 and environment = $2 and key = $3`;

/** Maximum concurrent statements; halts that arrive meanwhile go together with the next. */
const MOST_RUNNING = 2;
const LARGEST_GROUP = 100;
/** Maximum flags waited for at once, each on a connection of the shared pool; halts of others are retried. */
const MOST_IN_TURN = 2;
const AGAIN_MS = 50;
/**
 * SQLSTATE classes of a statement that failed because of its data or was undone for another, and so perhaps because of one of its halts.
 */
const UNDONE = /^(22|23|40)/;

interface Waiting extends RequestedHalt {
  /** Names the flag. */
  readonly place: string;
  readonly flag: PromiseWithResolvers<HaltedFlag>;
}

/**
 * Halts flags on behalf of automation (docs/rest.md, Flags). Hot path: halts requested while others run share a statement, and those of one
 * flag are one. A flag that is being changed is waited for separately, once.
 */
export class HaltWriter {
  private waiting = new Map<string, Waiting>();
  private readonly inTurn = new Set<string>();
  private running = 0;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly events: EventLog,
  ) {}

  /**
   * The flag in its state after the call; it is durable when this resolves. A live flag's halt is rejected while the project's quota of
   * decisions is used up. Fails with `switch_disabled`, `flag_not_found`.
   */
  halt(caller: HaltCaller, given: HaltRequest): Promise<HaltedFlag> {
    // A key that can't be stored matches no flag, but the quota is checked first.
    const request = isStorable(given.flagKey) ? given : { ...given, flagKey: '' };
    const place = `${caller.actor.projectId} ${request.environment} ${request.flagKey}`;
    const halt = { place, caller, request, flag: Promise.withResolvers<HaltedFlag>() };
    this.enqueue(halt);
    return halt.flag.promise;
  }

  private enqueue(halt: Waiting): void {
    const before = this.waiting.get(halt.place);
    if (before) {
      halt.flag.resolve(before.flag.promise);
      return;
    }
    this.waiting.set(halt.place, halt);
    this.next();
  }

  private next(): void {
    if (this.running >= MOST_RUNNING || this.waiting.size === 0) return;
    const group = [...this.waiting].slice(0, LARGEST_GROUP);
    for (const [place] of group) this.waiting.delete(place);
    this.running += 1;
    void this.write(group.map(([, halt]) => halt)).finally(() => {
      this.running -= 1;
      this.next();
    });
    this.next();
  }

  private async write(group: readonly Waiting[]): Promise<void> {
    try {
      for (const row of await this.run(HALT_FREE, group)) {
        const halt = group[row.place - 1] as Waiting;
        if (isHeld(row)) this.hold(halt);
        else settle(halt, row);
      }
    } catch (error) {
      const undone = UNDONE.test(codeOf(error));
      for (const halt of group) {
        if (!undone) halt.flag.reject(error);
        else if (group.length > 1) await this.write([halt]);
        else this.hold(halt);
      }
    }
  }

  private hold(halt: Waiting): void {
    const { place, flag } = halt;
    if (this.inTurn.has(place) || this.inTurn.size === MOST_IN_TURN) {
      setTimeout(() => this.enqueue(halt), AGAIN_MS);
      return;
    }
    this.inTurn.add(place);
    flag.resolve(this.haltInTurn(halt).finally(() => this.inTurn.delete(place)));
  }

  private async haltInTurn(halt: RequestedHalt): Promise<HaltedFlag> {
    const [row] = await this.run(HALT_IN_TURN, [halt]);
    if (row && !isHeld(row)) return flagOf(row);
    // Another call halted it after this statement began, so the statement saw its earlier state.
    const { actor } = halt.caller;
    const { rows } = await this.pool.query<HaltedFlag>({
      name: 'find-flag',
      text: FIND,
      values: [actor.projectId, halt.request.environment, halt.request.flagKey],
    });
    if (!rows[0]) throw switchFailure('flag_not_found');
    return rows[0];
  }

  private async run(statement: { name: string; text: string }, halts: readonly RequestedHalt[]): Promise<HaltRow[]> {
    const values = haltFlagsValues(halts, this.clock.now());
    const { rows } = await this.pool.query<HaltRow>({ ...statement, values });
    for (const projectId of new Set(rows.flatMap((row) => (row.haltedNow && row.id ? [row.projectId] : []))))
      this.events.announce('switch.flag.halted', projectId);
    return rows;
  }
}

/** Whether the statement skipped a flag that isn't halted: its row was locked, or changed while the statement waited. */
const isHeld = (row: HaltRow): boolean => !row.usedUp && row.id !== null && row.haltedAt === null;

function flagOf(row: HaltRow): HaltedFlag {
  if (row.usedUp) throw switchFailure('switch_disabled', { reason: 'quota_exceeded' });
  if (row.id === null) throw switchFailure('flag_not_found');
  return row;
}

function settle({ flag }: Waiting, row: HaltRow): void {
  try {
    flag.resolve(flagOf(row));
  } catch (refusal) {
    flag.reject(refusal);
  }
}

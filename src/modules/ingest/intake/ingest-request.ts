import { hash } from 'node:crypto';
import { clockSkew } from '../../../kernel/values/clock-skew.js';
import { FIRST_INSTANT } from '../../../kernel/values/iso-time.js';
import { Shape } from '../../../kernel/values/json-bytes.js';
import { EventRows } from '../copy/copy-binary.js';
import type { Weighed } from '../copy/group-commit.js';
import { isTooFarAhead } from '../operations/event-time.js';
import { garbageReason } from '../operations/garbage-ids.js';
import { ALIAS, type OperationKind, TRACK } from '../operations/operation-kinds.js';
import { FIELD, type PayloadFields } from '../operations/payload-fields.js';
import type { AliasOperation, IdentityOperations, PeopleOperation } from '../people/identity-operations.js';
import type { OperationSink } from '../scan/batch-scanner.js';
import { storableJsonText } from '../scan/storable-json-text.js';
import type { Tenant } from '../tenant.js';
import type { WarningReason } from '../warnings/warning-reasons.js';

/** A track row with an `insert_id`: its position among the encoded rows. */
export interface InsertIdRow {
  /** SHA-256 of the id, truncated to the size of a UUID and written as one. */
  hash: string;
  from: number;
  to: number;
}

/** Hashes of an `Idempotency-Key` and its body, truncated to the size of a UUID and written as one. */
export interface RememberedRequest {
  readonly keyHash: string;
  readonly bodyHash: string;
  /** Replaces the key if it was used before with another body. */
  readonly ownHash: string;
}

/** An event whose properties are elsewhere: the start of its row. */
export interface LargeRow {
  readonly row: Buffer;
  readonly insertId: InsertIdRow | null;
}

/** A person whose properties are elsewhere. */
export interface LargePerson {
  readonly distinctId: string;
}

export interface AcceptedCounts {
  events: number;
  people: number;
  aliases: number;
}

const hashAsUuid = (text: string): string => hash('sha256', text).slice(0, 32);

/** What a request's operations become while they are read: rows for COPY, people and aliases apart, and counted warnings. */
export class IngestRequest implements OperationSink, Weighed {
  readonly rows: EventRows;
  people: PeopleOperation[] = [];
  aliases: AliasOperation[] = [];
  insertIds: InsertIdRow[] = [];
  warnings = new Map<WarningReason, number>();
  discarded = 0;
  /** Added to the client's times, in milliseconds. */
  private skew = 0;
  private peopleCount = 0;
  private aliasCount = 0;
  /** The request's idempotency record; null without an `Idempotency-Key`. */
  remembered: RememberedRequest | null = null;

  constructor(
    readonly tenant: Tenant,
    /** Unix milliseconds. */
    readonly receivedAt: number,
    firstBytes?: number,
  ) {
    this.rows = new EventRows(tenant.projectId, tenant.environment, firstBytes);
  }

  /** Records the request under its key; `body` is a SHA-256 of its bytes. */
  rememberBy(key: string, body: Buffer): void {
    const bodyHash = body.toString('hex', 0, 16);
    this.remembered = { keyHash: hashAsUuid(key), bodyHash, ownHash: hashAsUuid(`${bodyHash} ${key}`) };
  }

  /** Takes the client's clock at the time of sending, which its times are corrected by. */
  sentAt(text: string | null): void {
    this.skew = text === null ? 0 : clockSkew(text, this.receivedAt);
  }

  operation(kind: OperationKind, fields: PayloadFields): void {
    if (this.discards(kind, fields)) return;
    if (kind === TRACK) this.track(fields);
    else if (kind === ALIAS) this.alias(fields);
    else this.person(fields);
  }

  /**
   * Takes an operation whose `properties` are elsewhere: the row of an event without them, or the person into whose profile they are
   * merged. Null if nothing has to be done with them.
   */
  large(kind: OperationKind, fields: PayloadFields): LargeRow | LargePerson | null {
    if (this.discards(kind, fields)) return null;
    if (kind === ALIAS) {
      this.alias(fields);
      return null;
    }
    if (kind !== TRACK) {
      this.peopleCount++;
      return { distinctId: fields.text(FIELD.distinct_id) };
    }
    const from = this.rows.bytes;
    const insertIds = this.insertIds.length;
    this.track(fields);
    const [insertId] = this.insertIds.splice(insertIds);
    return { row: this.rows.cutLast(from), insertId: insertId ?? null };
  }

  restart(): void {
    this.rows.clear();
    this.people = [];
    this.aliases = [];
    this.insertIds = [];
    this.warnings = new Map();
    this.discarded = 0;
    this.peopleCount = 0;
    this.aliasCount = 0;
  }

  get counts(): AcceptedCounts {
    return { events: this.rows.count, people: this.peopleCount, aliases: this.aliasCount };
  }

  /** Accepted operations, as weighted by the group commit. */
  get operations(): number {
    return this.rows.count + this.peopleCount + this.aliasCount;
  }

  /** Approximate memory of the request. */
  get bytes(): number {
    return this.rows.bytes + (this.peopleCount + this.aliasCount) * 512;
  }

  /** Hands over the people and alias operations read so far; they stay counted. */
  takeIdentityOperations(): IdentityOperations {
    const { people, aliases } = this;
    this.people = [];
    this.aliases = [];
    return { people, aliases };
  }

  /** Counts something that was silently dropped or changed. */
  warn(reason: WarningReason): void {
    this.warnings.set(reason, (this.warnings.get(reason) ?? 0) + 1);
  }

  private discards(kind: OperationKind, fields: PayloadFields): boolean {
    for (const id of kind.ids) {
      const reason = fields.isSurelyNoGarbage(id) ? null : garbageReason(fields.text(id));
      if (reason === null) continue;
      this.discarded++;
      this.warn(reason);
      return true;
    }
    return false;
  }

  private track(fields: PayloadFields): void {
    const from = this.rows.append(fields, this.timeOf(fields));
    // An empty id counts as none: clients send it for every event that they have no id for.
    if (fields.shape(FIELD.insert_id) === Shape.absent || fields.isEmpty(FIELD.insert_id)) return;
    this.insertIds.push({ hash: hashAsUuid(fields.text(FIELD.insert_id)), from, to: this.rows.bytes });
  }

  private timeOf(fields: PayloadFields): number {
    const corrected = fields.occurredAt + this.skew;
    const occurredAt = corrected < FIRST_INSTANT ? fields.occurredAt : corrected;
    if (Number.isNaN(occurredAt)) return this.receivedAt;
    if (!isTooFarAhead(occurredAt, this.receivedAt)) return occurredAt;
    this.warn('clamped_time');
    return this.receivedAt;
  }

  private alias(fields: PayloadFields): void {
    this.aliasCount++;
    this.aliases.push({ aliasId: fields.text(FIELD.alias_id), distinctId: fields.text(FIELD.distinct_id) });
  }

  private person(fields: PayloadFields): void {
    this.peopleCount++;
    let properties = '{}';
    if (fields.shape(FIELD.properties) !== Shape.absent) {
      properties = fields.raw(FIELD.properties);
      if (fields.isUnstorable(FIELD.properties)) properties = storableJsonText(properties);
    }
    this.people.push({ distinctId: fields.text(FIELD.distinct_id), properties });
  }
}

import { createHash } from 'node:crypto';
import type { Context } from '../../kernel/context.js';
import { TenantThreads } from '../../kernel/threads/tenant-threads.js';
import { ThreadFailure } from '../../kernel/threads/thread-failure.js';
import { DEEPEST_JSON, isTextTooDeep, isTooDeep } from '../../kernel/values/json-extent.js';
import { misreadIn } from '../../kernel/values/misread-json.js';
import { MAX_CONFIG_TEXT_BYTES, MAX_CONFIG_VALUE_BYTES } from '../quotas/limits.js';
import { configFailure, type ValueField } from './config.errors.js';
import type { ConfigItem } from './config-item.entity.js';
import type { ItemRule } from './rules/item-rule.js';
import { checkRules, ruleValues } from './rules/rule-checks.js';
import type { SchemaOutcome, SchemaTask } from './schema/schema-task.js';
import { parseValue, snapshotOf, type ValueTypeName } from './value-types.js';

/** Processor time of a thread: for compiling a schema, and for checking a value against it. */
const COMPILE_MS = 2_000;
const CHECK_MS = 250;
const PASSED_KEPT = 4_096;
const LONGEST_PROBLEM = 300;

export type CheckedItem = Pick<ConfigItem, 'type' | 'defaultValue' | 'jsonSchema'>;

interface WantedValue {
  field: ValueField;
  /** JSON text. */
  text: string;
  /** Identifies the pair of schema and value. */
  hash: string;
}

/**
 * Checks config values. JSON Schemas run in threads with their own limits, because even a small one can take any amount of time and memory.
 */
export class ValueChecks {
  private readonly threads = new TenantThreads<SchemaTask, SchemaOutcome>({
    file: new URL('./schema/schema-thread.js', import.meta.url),
    threads: 2,
    heapMegabytes: 64,
    room: 64,
    longestWaitMs: 5_000,
    idleMs: 10_000,
  });
  /** Pairs of schema and value that passed, oldest first. */
  private readonly passed = new Set<string>();

  /**
   * Checks the item's value, its rules and their values. Within a transaction the verb runs again once a schema has been checked, so call
   * it before changing anything except the database. Fails with `bad_value`, `value_too_large`, `bad_rule`, `bad_rules`, `bad_schema`,
   * `schema_violation`, `schema_timeout`, `check_busy`.
   */
  async check(
    ctx: Context,
    organizationId: string,
    { type, defaultValue, jsonSchema }: CheckedItem,
    rules: readonly ItemRule[],
  ): Promise<void> {
    checkText(type, defaultValue, 'value');
    checkRules(rules);
    const given = ruleValues(rules);
    for (const { field, value } of given) checkText(type, value, field);
    if (jsonSchema === null) return;
    const schema = schemaText(jsonSchema);
    const wanted = (field: ValueField, value: string): WantedValue => {
      const text = snapshotOf(type, value);
      return { field, text, hash: createHash('sha256').update(schema).update('\0').update(text).digest('base64') };
    };
    const values = [wanted('value', defaultValue), ...given.map(({ field, value }) => wanted(field, value))];
    const unknown = values.filter(({ hash }) => !this.passed.has(hash));
    if (unknown.length > 0) await ctx.beforehand(() => this.checkInThread(organizationId, schema, unknown));
  }

  close(): Promise<void> {
    return this.threads.close();
  }

  private async checkInThread(organizationId: string, schema: string, values: WantedValue[]): Promise<void> {
    const outcome = await this.outcomeOf(organizationId, schema, values);
    if (outcome.verdict === 'unusable') throw unusable(outcome.place, outcome.problem);
    if (outcome.verdict === 'violated') {
      const problems = outcome.problems.map(shortened);
      throw configFailure('schema_violation', { field: fieldAt(values, outcome.value), problems });
    }
    for (const { hash } of values) this.passed.add(hash);
    for (const hash of this.passed) {
      if (this.passed.size <= PASSED_KEPT) break;
      this.passed.delete(hash);
    }
  }

  private async outcomeOf(organizationId: string, schema: string, values: WantedValue[]): Promise<SchemaOutcome> {
    const task = { schema, values: values.map(({ text }) => text) };
    try {
      return await this.threads.run(organizationId, task, [COMPILE_MS, ...values.map(() => CHECK_MS)]);
    } catch (error) {
      if (!(error instanceof ThreadFailure) || error.reason === 'ended') throw error;
      if (error.reason === 'busy') throw configFailure('check_busy');
      if (error.step === 0) throw unusable('#', 'compiling it takes too much time or memory');
      throw configFailure('schema_timeout', { field: fieldAt(values, error.step - 1), milliseconds: CHECK_MS });
    }
  }
}

/** Fails with `value_too_large`, or with `bad_value` if a text is not of its type. */
function checkText(type: ValueTypeName, text: string, field: ValueField): void {
  const tooLarge = (most: number, unit: 'bytes' | 'levels') => configFailure('value_too_large', { field, most, unit });
  if (Buffer.byteLength(text) > MAX_CONFIG_VALUE_BYTES) throw tooLarge(MAX_CONFIG_VALUE_BYTES, 'bytes');
  if (parseValue(type, text) === undefined) throw configFailure('bad_value', { type, field });
  if (type === 'json' && isTextTooDeep(text)) throw tooLarge(DEEPEST_JSON, 'levels');
}

/**
 * Refuses JSON of which clients would read another value than was written. Versions that have such a value can still be restored. Fails with
 * `bad_value`.
 */
export function refuseMisread(type: ValueTypeName, given: readonly { field: ValueField; value: string }[]): void {
  if (type !== 'json') return;
  for (const { field, value } of given) {
    const problem = misreadIn(parseValue(type, value));
    if (problem !== null) throw configFailure('bad_value', { type, field, problem });
  }
}

/** The text of a JSON Schema. Fails with `bad_schema` if it isn't one, is too large or too deep; its content isn't checked. */
export function schemaText(schema: unknown): string {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'boolean') || Array.isArray(schema))
    throw unusable('#', 'it is neither an object nor a boolean');
  if (isTooDeep(schema)) throw unusable('#', `it has more than ${DEEPEST_JSON} levels`);
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > MAX_CONFIG_TEXT_BYTES) throw unusable('#', 'it is larger than 64 KiB');
  return text;
}

const unusable = (place: string, problem: string) =>
  configFailure('bad_schema', { place: shortened(place), problem: shortened(problem) });

/** Error messages quote schemas and values. */
const shortened = (text: string): string =>
  text.length <= LONGEST_PROBLEM
    ? text
    : `${text.slice(0, LONGEST_PROBLEM / 2)} … ${text.slice(-LONGEST_PROBLEM / 2)}`.toWellFormed();

const fieldAt = (values: WantedValue[], index: number): ValueField => values[index]?.field ?? 'value';

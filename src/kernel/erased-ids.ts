import type { Environment } from './actor.js';
import type { Context } from './context.js';

export interface ErasedPerson {
  projectId: string;
  environment: Environment;
  ids: readonly string[];
}

/**
 * Erases a person from a slice of what a module stores, in the caller's transaction. Takes where to go on, null at first, and
 * returns where to go on, null when it is done.
 */
export type ErasureStep = (ctx: Context, person: ErasedPerson, after: string | null) => Promise<string | null>;

/** What stands where an id was. */
const ERASED = '[deleted]';

/** Shorter ids are words and numbers that mean something else in other people's data. */
const TELLING_LENGTH = 8;

/** Takes ids out of texts and JSON values. */
export class ErasedIds {
  private readonly ids: ReadonlySet<string>;
  private readonly telling: RegExp | null;
  private readonly apart: RegExp;
  /** As they stand in JSON texts. */
  private readonly written: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
    const escaped = (some: readonly string[]) =>
      some
        .toSorted((a, b) => b.length - a.length)
        .map((id) => id.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
        .join('|');
    const telling = ids.filter(isTelling);
    this.telling = telling.length > 0 ? new RegExp(escaped(telling), 'gu') : null;
    this.written = [...this.ids].flatMap((id) => {
      const text = JSON.stringify(id);
      return isTelling(id) ? [id, text.slice(1, -1)] : [text];
    });
    this.apart = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped(ids)})(?![\\p{L}\\p{N}])`, 'gu');
  }

  has(id: string | null): boolean {
    return id !== null && this.ids.has(id);
  }

  /** Patterns of SQL's LIKE, one of which every JSON text matches that {@link json} would change. */
  patterns(): string[] {
    return this.written.map(likely);
  }

  /** Whether {@link json} may change the value of which this is the JSON text. */
  mayBeIn(text: string): boolean {
    return this.written.some((id) => text.includes(id));
  }

  /**
   * The text without ids. One that is short goes only when it is the whole text, or, in a text of the person's own, when it
   * stands apart.
   */
  text(text: string, isOwn: boolean): string {
    if (this.ids.has(text)) return ERASED;
    const without = this.telling === null ? text : text.replace(this.telling, ERASED);
    return isOwn ? without.replace(this.apart, ERASED) : without;
  }

  /** {@link text} in every text and key of a JSON value; a number that is an id becomes null. */
  json(value: unknown, isOwn: boolean): unknown {
    if (typeof value === 'string') return this.text(value, isOwn);
    if (typeof value === 'number') return isTelling(String(value)) && this.ids.has(String(value)) ? null : value;
    if (Array.isArray(value)) return value.map((item) => this.json(item, isOwn));
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, inner] of Object.entries(value)) copy[this.text(key, isOwn)] = this.json(inner, isOwn);
    return copy;
  }
}

const isTelling = (id: string): boolean => id.length >= TELLING_LENGTH;

const likely = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

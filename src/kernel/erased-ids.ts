import type { ProjectEnvironment } from './actor.js';
import type { Context } from './context.js';
import { containing } from './database/like-pattern.js';

export interface ErasedPerson extends ProjectEnvironment {
  ids: readonly string[];
}

/**
 * Erases a person from a slice of a module's data, in the caller's transaction. Takes the position to continue from,
 * null at first, and returns the next one, null when done.
 */
export type ErasureStep = (ctx: Context, person: ErasedPerson, after: string | null) => Promise<string | null>;

const ERASED = '[deleted]';

/** Shorter ids may be words and numbers with another meaning in other people's data. */
const TELLING_LENGTH = 8;

/** Removes ids from texts and JSON values. */
export class ErasedIds {
  private readonly ids: ReadonlySet<string>;
  private readonly telling: RegExp | null;
  private readonly apart: RegExp;
  /** The ids as escaped in JSON. */
  private readonly written: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
    const escaped = (some: readonly string[]) =>
      some
        .toSorted((a, b) => b.length - a.length)
        .map(RegExp.escape)
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

  /** SQL LIKE patterns; every JSON text that {@link json} would change matches one of them. */
  patterns(): string[] {
    return this.written.map(containing);
  }

  /** Whether {@link json} may change the value with this JSON text. */
  mayBeIn(text: string): boolean {
    return this.written.some((id) => text.includes(id));
  }

  /**
   * The text without ids. A short id is removed only when it is the whole text or, in the person's own texts, when it
   * is a separate word.
   */
  text(text: string, isOwn: boolean): string {
    if (this.ids.has(text)) return ERASED;
    const without = this.telling === null ? text : text.replace(this.telling, ERASED);
    return isOwn ? without.replace(this.apart, ERASED) : without;
  }

  /** Applies {@link text} to every string and key of a JSON value; a number that is an id becomes null. */
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

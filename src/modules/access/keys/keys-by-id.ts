import type { Pool } from 'pg';
import { KEY_STANDING, type KeyRow, type KeyStanding, standingOf } from './key-standing.js';

/** Keys by id, for callers who present a key's ticket instead of its secret. */
export class KeysById {
  private readonly finding = new Map<string, Promise<KeyStanding | null>>();

  constructor(private readonly pool: Pool) {}

  /** The key's current standing; null if it is unknown or revoked. Concurrent callers share one read. */
  find(id: string): Promise<KeyStanding | null> {
    let found = this.finding.get(id);
    if (!found) {
      found = this.findAll([id])
        .then((standings) => standings.get(id) ?? null)
        .finally(() => this.finding.delete(id));
      this.finding.set(id, found);
    }
    return found;
  }

  /** The valid keys among these, by id. */
  async findAll(ids: readonly string[]): Promise<Map<string, KeyStanding>> {
    const { rows } = await this.pool.query<KeyRow>({
      name: 'key-standings-by-id',
      text: `${KEY_STANDING} where k.id = any($1::uuid[]) and k.revoked_at is null`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, standingOf(row)]));
  }
}

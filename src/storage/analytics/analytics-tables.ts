import { newUuid } from '../../kernel/ids.js';
import type { AnalyticsDataset } from './analytics-dataset.js';
import type { AnalyticsState, CopyState } from './analytics-state.js';
import type { ClickHouse } from './clickhouse.js';

/** A copy with another table version is rebuilt from PostgreSQL; increase it with every table change. */
const VERSION = 1;

const CREATE_COPY = `
CREATE TABLE IF NOT EXISTS quarterdeck_copy (installation UUID, copy_id UUID, version UInt32, made_at DateTime64(3, 'UTC'))
ENGINE = MergeTree ORDER BY made_at`;

interface CopyRow {
  installation: string;
  copy_id: string;
  version: number;
}

/** Keeps the ClickHouse tables in sync with the state of the copy in PostgreSQL. */
export class AnalyticsTables {
  constructor(
    private readonly store: ClickHouse,
    private readonly state: AnalyticsState,
    private readonly datasets: readonly AnalyticsDataset[],
  ) {}

  /**
   * Ensures that the tables belong to the copy recorded in PostgreSQL, or starts a new one: on the first start, after
   * ClickHouse lost its data or was replaced, after a table upgrade, and after a restore of PostgreSQL. Throws when the
   * tables belong to another installation.
   */
  async prepare(): Promise<CopyState> {
    await this.store.command(CREATE_COPY);
    const [there] = await this.store.rows<CopyRow>(
      'SELECT installation, copy_id, version FROM quarterdeck_copy ORDER BY made_at DESC LIMIT 1',
    );
    const known = await this.state.read();
    if (there && there.installation !== known?.installation)
      throw new Error(
        'The ClickHouse database contains the copy of another installation. Set CLICKHOUSE_URL to a separate database, or drop its quarterdeck_* tables',
      );
    if (known?.wanted && there?.copy_id === known.copyId && there.version === VERSION) return known;
    return this.begin();
  }

  private async begin(): Promise<CopyState> {
    const copyId = newUuid();
    await this.state.begin(copyId);
    const state = (await this.state.read()) as CopyState;
    for (const { table, create } of this.datasets) {
      await this.store.command(`DROP TABLE IF EXISTS ${table} SYNC`);
      await this.store.command(create);
    }
    await this.store.command(
      `INSERT INTO quarterdeck_copy SELECT {installation:UUID}, {copy:UUID}, {version:UInt32}, now64(3)`,
      { installation: state.installation, copy: copyId, version: VERSION },
    );
    return state;
  }
}

/** The rows of a dataset that an addition covers. */
export type Selection =
  | {
      kind: 'span';
      projectId: string;
      environment: string;
      /** Ids between these UUIDs, end exclusive. */
      from: string;
      to: string;
    }
  | { kind: 'people'; projectId: string; environment: string; distinctIds: readonly string[] }
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'all' };

/** Rows of a selection ordered by id, each as JSON for the copy's table. */
export interface DatasetPage {
  lines: string[];
  /** Id of the last row, or null. */
  last: string | null;
  isLast: boolean;
}

/** Data copied to the analytics store: its rows here and its table there. */
export interface AnalyticsDataset {
  readonly name: string;
  readonly table: string;
  readonly create: string;
  /** Type of the column `id` in ClickHouse. */
  readonly idType: 'UUID' | 'String';
  /** Stored rows of the selection after the id `after`, at most `limit` and within a byte limit. */
  read(selection: Selection, after: string | null, limit: number): Promise<DatasetPage>;
  /** Notes every row that is stored as an addition. */
  noteAll(): Promise<void>;
}

/** Which rows of a dataset an addition means. */
export type Selection =
  | {
      kind: 'span';
      projectId: string;
      environment: string;
      /** Ids between these UUIDs, the second excluded. */
      from: string;
      to: string;
    }
  | { kind: 'people'; projectId: string; environment: string; distinctIds: readonly string[] }
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'all' };

/** Some rows of a selection in the order of their ids, each as the JSON of a row of the copy's table. */
export interface DatasetPage {
  lines: string[];
  /** Id of the last row; null when there was none. */
  last: string | null;
  /** Whether nothing of the selection comes after these. */
  isLast: boolean;
}

/** Something that is copied to the analytics store: its rows here, and its table there. */
export interface AnalyticsDataset {
  readonly name: string;
  readonly table: string;
  /** Makes the table. */
  readonly create: string;
  /** Type of the column `id` in ClickHouse. */
  readonly idType: 'UUID' | 'String';
  /** Rows of the selection that are stored now, after the id `after`, at most `limit` and not too many bytes. */
  read(selection: Selection, after: string | null, limit: number): Promise<DatasetPage>;
  /** Notes every row that is stored as an addition. */
  noteAll(): Promise<void>;
}

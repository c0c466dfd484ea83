import pg from 'pg';

/** Members of pg's class that its published type lacks. */
interface QueryParts {
  readonly name: string | undefined;
  readonly values: unknown[];
  hasBeenParsed(connection: object): boolean;
  prepare(connection: object): void;
  handleRowDescription(message: Description): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  _getRows(connection: object): void;
  _result: { addRow(row: object): void; parseRow(fields: (string | null)[]): object };
  _canceledDueToError: unknown;
}

interface Wire {
  bind(config: { statement: string | undefined; values: unknown[]; valueMapper: unknown }): void;
}

interface Description {
  fields: readonly object[];
}

// The driver's types are incomplete for the first and lack the second.
const Query = pg.Query as unknown as new (config: object) => QueryParts;
const { prepareValue } = (pg as unknown as { utils: { prepareValue: unknown } }).utils;

/** The columns of a connection's prepared statements, by statement name. */
const described = new WeakMap<object, Map<string, Description>>();

/**
 * A prepared statement whose columns are requested once per connection; PostgreSQL rejects it if they change. Otherwise
 * both sides send and parse column names and types with every result.
 */
class KnownColumnsQuery extends Query {
  private connection: object | undefined;

  override prepare(connection: Wire): void {
    const known = this.name && this.hasBeenParsed(connection) && described.get(connection)?.get(this.name);
    if (!known) {
      this.connection = connection;
      super.prepare(connection);
      return;
    }
    try {
      connection.bind({ statement: this.name, values: this.values, valueMapper: prepareValue });
    } catch {
      // Fails again and reports to the caller.
      super.prepare(connection);
      return;
    }
    super.handleRowDescription(known);
    this._getRows(connection);
  }

  override handleRowDescription(message: Description): void {
    if (this.connection && this.name) {
      const names = described.get(this.connection) ?? new Map<string, Description>();
      described.set(this.connection, names.set(this.name, message));
    }
    super.handleRowDescription(message);
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this._canceledDueToError) return;
    try {
      this._result.addRow(this._result.parseRow(fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }
}

/** A statement for pg, in this form if it is prepared under a name. */
export function withKnownColumns(config: unknown): unknown {
  const { name, submit } = config as { name?: string; submit?: unknown };
  return name && !submit ? new KnownColumnsQuery(config as object) : config;
}

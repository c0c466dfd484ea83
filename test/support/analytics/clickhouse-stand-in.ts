import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Row = Record<string, unknown>;
type Parameters = ReadonlyMap<string, string>;

/**
 * The part of ClickHouse's HTTP interface that the analytics copy uses, over rows in memory. It keeps every row it
 * receives, including duplicates, collapses them by id for FINAL, and supports the conditions and counts that the
 * product asks for. It rejects anything else. Running the same tests with TEST_CLICKHOUSE_URL shows whether the real
 * engine accepts the same statements.
 */
export class ClickHouseStandIn {
  private readonly tables = new Map<string, Row[]>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<ClickHouseStandIn> {
    const server = createServer();
    const standIn = new ClickHouseStandIn(server);
    server.on('request', (request, response) => {
      standIn.answer(request).then(
        (text) => response.end(text),
        (error: unknown) => response.writeHead(500).end(`Code: 62. DB::Exception: ${String(error)}`),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<string> {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    if (url.pathname === '/ping') return 'Ok.\n';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const parameters = new Map(
      [...url.searchParams].flatMap(([name, value]) => (name.startsWith('param_') ? [[name.slice(6), value]] : [])),
    );
    const query = url.searchParams.get('query');
    return this.run((query ?? body).trim(), query === null ? '' : body, parameters);
  }

  private run(query: string, data: string, parameters: Parameters): string {
    const table = /(?:TABLE(?: IF (?:NOT )?EXISTS)?|INTO|FROM)\s+(\w+)/.exec(query)?.[1] ?? '';
    if (query.startsWith('CREATE TABLE')) {
      if (!this.tables.has(table)) this.tables.set(table, []);
      return '';
    }
    if (query.startsWith('DROP TABLE')) {
      this.tables.delete(table);
      return '';
    }
    const rows = this.tables.get(table);
    if (!rows) throw new Error(`Unknown table ${table}`);
    if (query.startsWith('INSERT INTO quarterdeck_copy')) {
      const copy = { installation: parameters.get('installation'), copy_id: parameters.get('copy') };
      rows.push({ ...copy, version: Number(parameters.get('version')) });
      return '';
    }
    if (query.startsWith('INSERT')) {
      const lines = data || query.slice(query.indexOf('{'));
      rows.push(...lines.split('\n').map((line) => JSON.parse(line) as Row));
      return '';
    }
    const holds = conditionOf(/WHERE\s+(.*?)(?:\s+GROUP BY|\s+LIMIT|\s+FORMAT|$)/s.exec(query)?.[1] ?? '', parameters);
    if (query.startsWith('ALTER TABLE') && query.includes(' DELETE ')) {
      this.tables.set(
        table,
        rows.filter((row) => !holds(row)),
      );
      return '';
    }
    const chosen = (query.includes(' FINAL') ? [...new Map(rows.map((row) => [row.id, row])).values()] : rows).filter(
      holds,
    );
    return select(query, chosen, parameters)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
  }
}

/** Terms joined by AND, each comparing a column with a parameter. */
function conditionOf(text: string, parameters: Parameters): (row: Row) => boolean {
  const terms = text.split(/\s+AND\s+/).filter(Boolean);
  const tests = terms.map((term) => {
    const [, column = '', operator = '', value = ''] = /^(\w+)\s*(=|>=|<=|<|IN)\s*(.*)$/s.exec(term.trim()) ?? [];
    const name = /\{(\w+):/.exec(value)?.[1] ?? '';
    const given = /^'(.*)'$/.exec(value)?.[1] ?? parameters.get(name);
    if (given === undefined) throw new Error(`no parameter for ${term}`);
    if (operator === 'IN') {
      const listed = new Set(JSON.parse(given.replaceAll(/(?<!\\)'/g, '"').replaceAll("\\'", "'")) as string[]);
      return (row: Row) => listed.has(row[column] as string);
    }
    if (!value.startsWith('fromUnixTimestamp64Milli')) {
      const text = given.replaceAll(/\\(.)/gs, (_, escaped: string) => ({ t: '\t', n: '\n' })[escaped] ?? escaped);
      return (row: Row) => row[column] === text;
    }
    const instant = Number(given);
    const compare = {
      '>=': (at: number) => at >= instant,
      '<=': (at: number) => at <= instant,
      '<': (at: number) => at < instant,
    };
    const test = compare[operator as keyof typeof compare];
    return (row: Row) => test(Date.parse(`${String(row[column]).replace(' ', 'T')}Z`));
  });
  return (row) => tests.every((test) => test(row));
}

/** The rows for the few selections that the product makes. */
function select(query: string, rows: Row[], parameters: Parameters): Row[] {
  const columns = /^SELECT\s+(.*?)\s+FROM/s.exec(query)?.[1] ?? '';
  if (columns === '1 AS found') return rows.slice(0, 1).map(() => ({ found: 1 }));
  if (columns === 'installation, copy_id, version') return rows.slice(-1);
  if (columns === '*') return rows;
  if (columns === 'count() AS rows') return [{ rows: rows.length }];
  if (columns.includes('dateTrunc(')) {
    const interval = parameters.get('interval') ?? '';
    return counted(
      rows.map((row) => ({ at: truncated(String(row.occurred_at), interval) / 1000 })),
      'count',
    );
  }
  if (columns === 'survey_id AS survey, day, score, count() AS n')
    return counted(
      rows.map(({ survey_id: survey, day, score }) => ({ survey, day, score })),
      'n',
    ).sort(byDay);
  const answers = rows.flatMap((row) =>
    (row.question_ids as string[]).map((question, at) => ({
      survey: row.survey_id,
      question,
      day: row.day,
      given: (row.answer_values as string[][])[at] ?? [],
    })),
  );
  if (columns === 'survey_id AS survey, question, count() AS n')
    return counted(
      answers.map(({ survey, question }) => ({ survey, question })),
      'n',
    );
  if (columns === 'survey_id AS survey, question, day, arrayJoin(given) AS value, count() AS n') {
    return counted(
      answers.flatMap(({ survey, question, day, given }) => given.map((value) => ({ survey, question, day, value }))),
      'n',
    );
  }
  throw new Error(`Unknown selection ${columns}`);
}

const byDay = (a: Row, b: Row): number => String(a.day).localeCompare(String(b.day));

/** Groups equal rows with their count. 64-bit numbers are text, as older servers write them. */
function counted(rows: Row[], name: string): Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row));
  return [...groups].map(([text, of]) => ({ ...(JSON.parse(text) as Row), [name]: String(of.length) }));
}

function truncated(time: string, interval: string): number {
  const at = new Date(`${time.replace(' ', 'T')}Z`);
  at.setUTCMinutes(0, 0, 0);
  if (interval !== 'hour') at.setUTCHours(0);
  if (interval === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  if (interval === 'month') at.setUTCDate(1);
  return at.getTime();
}

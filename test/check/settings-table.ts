import { parse } from '@babel/parser';

/** The source position of a node. */
interface Span {
  start?: number | null | undefined;
  end?: number | null | undefined;
}

interface Setting {
  name: string;
  fallback: string;
  meaning: string;
}

/**
 * The settings in `src/env.ts` as a Markdown table. It is built from the property comments and the reads themselves, so
 * that the page cannot contradict the code.
 */
function settingsTable(envSource: string): string {
  const rows = settingsOf(envSource).map(({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`);
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const block = /(?<=<!-- settings -->\n)[\s\S]*?(?=\n<!-- \/settings -->)/;

/**
 * `docs/operations.md` with its settings block, between `<!-- settings -->` and `<!-- /settings -->`, updated from the
 * code.
 */
export function withSettings(page: string, envSource: string): string {
  if (!block.test(page)) throw new Error('docs/operations.md has no <!-- settings --> block');
  return page.replace(block, () => settingsTable(envSource));
}

function settingsOf(source: string): Setting[] {
  const tree = parse(source, { sourceType: 'module', plugins: ['typescript'] }).program;
  const reader = tree.body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : null))
    .find((declaration) => declaration?.type === 'FunctionDeclaration' && declaration.id?.name === 'readEnv');
  if (reader?.type !== 'FunctionDeclaration') throw new Error('src/env.ts has no readEnv');
  const elsewhere = new Map<string, Span>();
  for (const statement of [...reader.body.body, ...tree.body]) {
    if (statement.type === 'FunctionDeclaration' && statement.id) elsewhere.set(statement.id.name, statement.body);
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations)
      if (id.type === 'Identifier' && init) elsewhere.set(id.name, init);
  }
  const last = reader.body.body.at(-1);
  if (last?.type !== 'ReturnStatement' || last.argument?.type !== 'ObjectExpression')
    throw new Error('readEnv returns no object');
  return last.argument.properties.flatMap((property) => {
    if (property.type !== 'ObjectProperty') return [];
    const code = readOf(source, property.value, elsewhere);
    const name = /read\.\w+\(\s*'([A-Z][A-Z0-9_]*)'/.exec(code)?.[1];
    if (name === undefined) throw new Error(`src/env.ts reads a setting in a way that the table cannot tell: ${code}`);
    const comment = property.leadingComments?.at(-1)?.value ?? '';
    const meaning = comment
      .replace(/^\*/, '')
      .replaceAll(/\s*\n\s*\*?/g, ' ')
      .trim();
    return [{ name, fallback: fallbackOf(code), meaning: meaning.replaceAll('|', '\\|') }];
  });
}

/** The text of the expression that reads a setting, even if it is in a separate constant or function. */
function readOf(source: string, value: Span, elsewhere: ReadonlyMap<string, Span>): string {
  const code = source.slice(value.start ?? 0, value.end ?? 0);
  if (code.includes('read.')) return code;
  const named = elsewhere.get(/^\w+/.exec(code)?.[0] ?? '');
  return named ? source.slice(named.start ?? 0, named.end ?? 0) : code;
}

function fallbackOf(code: string): string {
  const words = /'([^']*)'\)(?: === '\w+')?$/.exec(code.trim())?.[1];
  if (code.includes('oneOf(') && words !== undefined) return `\`${words}\``;
  const number = /read\.(?:integer|fraction)\(\s*'\w+',\s*([\w* ]+?)[,)]/.exec(code)?.[1];
  if (number !== undefined) return number.replace(/\s*\*\s*MEBIBYTE/, ' MiB');
  const text = /\?\? '([^']+)'/.exec(code)?.[1];
  return text === undefined ? '' : `\`${text}\``;
}

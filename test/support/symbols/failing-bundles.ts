import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scriptFrameOf } from '../../../src/symbols/symbolication/script-trace.js';

const FIXTURES = join(process.cwd(), 'test/fixtures/symbols/bundles');
const SOURCES = join(FIXTURES, 'source');
const NODE_LIBRARY = new URL('../../../src/sdk/node/quarterdeck.js', import.meta.url).href;

/** A frame of the program itself, as in its source. */
export interface SourceFrame {
  function: string | null;
  file: string;
  line: number;
}

/** What bundlers make of the same program. */
export interface FailingBundle {
  name: string;
  /** Path of the script that is loaded first. */
  entry: string;
  isModule: boolean;
}

/** How a program reaches the server, and the runtime that its reports name. */
export interface Reporting {
  url: string;
  key: string;
  runtime: string;
}

/** Puts each bundle with its maps into a folder of its own, as the bundlers wrote them. */
export async function layBundles(folder: string): Promise<FailingBundle[]> {
  const bundles: FailingBundle[] = [];
  for (const name of (await readdir(join(FIXTURES, 'built'))).sort()) {
    await mkdir(join(folder, name));
    const files = await readdir(join(FIXTURES, 'built', name));
    for (const file of files) {
      const bytes = gunzipSync(await readFile(join(FIXTURES, 'built', name, file)));
      await writeFile(join(folder, name, file.replace(/\.gz$/, '')), bytes);
    }
    const isModule = files.includes('main.js.gz');
    bundles.push({ name, entry: join(folder, name, isModule ? 'main.js' : 'main.jsbundle'), isModule });
  }
  return bundles;
}

/** Makes everything fail that can; `each` is called with the name of each failure and its error. */
const FAIL_ALL = `for (const [name, fail] of Object.entries(globalThis.failures)) {
  try { await fail(); } catch (error) { each(name, error); }
}`;

/** What the runtime reports for the unbundled sources: for each failure, the frames that belong to the program. */
export async function framesOfSources(): Promise<Map<string, SourceFrame[]>> {
  const written = await inNode(
    `await import(${JSON.stringify(join(SOURCES, 'main.js'))});
     const stacks = {};
     const each = (name, { stack }) => { stacks[name] = stack; };
     ${FAIL_ALL}
     process.stdout.write(JSON.stringify(stacks));`,
  );
  const stacks = Object.entries(JSON.parse(written) as Record<string, string>);
  return new Map(
    stacks.map(([name, stack]) => [
      name,
      stack.split('\n').flatMap((text) => {
        const { function: called = null, file, line } = scriptFrameOf(text) ?? {};
        return file?.includes(SOURCES)
          ? [{ function: called, file: file.slice(file.lastIndexOf('/') + 1), line: line ?? 0 }]
          : [];
      }),
    ]),
  );
}

export const sourceLines = async (file: string): Promise<string[]> =>
  (await readFile(join(SOURCES, file), 'utf8')).split('\n');

/** Makes a bundle fail in Node, where the Node library reports each failure. */
export async function failInNode(
  { entry, isModule }: FailingBundle,
  { runtime, ...options }: Reporting,
): Promise<void> {
  const path = JSON.stringify(entry);
  await inNode(
    `import { createRequire } from 'node:module';
     import { createQuarterdeck } from ${JSON.stringify(NODE_LIBRARY)};
     ${isModule ? `await import(${path})` : `createRequire(${path})(${path})`};
     const quarterdeck = createQuarterdeck({ ...${JSON.stringify(options)}, fetch: false, captureErrors: false, flushOnExit: false });
     const runtime = ${JSON.stringify(runtime)};
     const each = (failure, error) => quarterdeck.captureError(error, { tags: { failure, runtime } });
     ${FAIL_ALL}
     await quarterdeck.close();`,
  );
}

/** A page that loads a bundle and the browser library, and makes the bundle fail; `finished` is true at the end. */
export const pageOf = (script: string, isModule: boolean, { runtime, ...options }: Reporting): string =>
  `<!doctype html><script${isModule ? ' type="module"' : ''} src="${script}"></script>
   <script type="module">
     import { createQuarterdeck } from '/browser.js';
     const quarterdeck = createQuarterdeck({ ...${JSON.stringify(options)}, captureErrors: false, stream: false });
     const runtime = ${JSON.stringify(runtime)};
     const each = (failure, error) => quarterdeck.captureError(error, { tags: { failure, runtime } });
     ${FAIL_ALL}
     await quarterdeck.flush();
     globalThis.finished = true;
   </script>`;

/** What a program prints. Throws its error output if it fails. */
function inNode(program: string): Promise<string> {
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
  let written = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(written) : reject(new Error(said)))),
  );
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnsweredTrace, compareDartTraces } from './support/dart-answers.js';

const BUILT = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');

const x = suite('Dart traces of our own');
const folder = mkdtempSync(join(tmpdir(), 'dart-'));
x.after(() => rmSync(folder, { recursive: true, force: true }));

/** What crash reporters and the log put in front of a line. */
const PREFIXES = ['', '11-22 10:00:00.123  5412  5440 E flutter : ', 'E/flutter ( 5412): ', '       at .'];

for (const name of ['dart-arm64.symbols', 'dart-arm.symbols']) {
  const { traces } = JSON.parse(gunzipSync(readFileSync(join(BUILT, `${name}.traces.json.gz`))).toString()) as {
    traces: AnsweredTrace[];
  };
  for (const prefix of PREFIXES) {
    x(`${name}: every frame matches llvm-symbolizer, with the prefix ${JSON.stringify(prefix)}`, async () => {
      const path = join(folder, name);
      writeFileSync(path, gunzipSync(readFileSync(join(BUILT, `${name}.gz`))));
      const prefixed = traces.map(({ trace, expected }) => ({ trace: trace.replaceAll(/^/gm, prefix), expected }));
      assert.ok((await compareDartTraces(path, prefixed)) > 500);
    });
  }
}

x.run();

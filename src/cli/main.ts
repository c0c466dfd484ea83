#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { readSettings, UsageError } from './settings.js';
import { KINDS } from './symbol-files.js';
import { checkSymbols } from './symbols-check.js';
import { uploadSymbols } from './symbols-upload.js';

const USAGE = `quarterdeck symbols upload --kind KIND [options] PATH...
quarterdeck symbols check [options] PATH...

KIND is one of ${KINDS.join(', ')}.

  --release R       the release that the symbols or the build belong to
  --environment E   live (default) or test
  --match-key K     name the file yourself; upload only
  --commit SHA      commit of the build; upload only
  --project ID      when the token may see several projects
  --url, --token    instead of QUARTERDECK_URL and QUARTERDECK_TOKEN

Exit codes: 0 all done, 1 something failed or is missing, 2 the call was wrong.`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kind: { type: 'string' },
      release: { type: 'string' },
      environment: { type: 'string' },
      'match-key': { type: 'string' },
      commit: { type: 'string' },
      project: { type: 'string' },
      url: { type: 'string' },
      token: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [noun, verb, ...paths] = positionals;
  if (values.help) {
    say(USAGE);
    return 0;
  }
  const { release, environment, project } = values;
  if (noun === 'symbols' && verb === 'upload') {
    const { kind = '', commit } = values;
    const options = { kind, paths, release, environment, matchKey: values['match-key'], commit, project };
    return uploadSymbols(readSettings(values), options, say);
  }
  if (noun === 'symbols' && verb === 'check') {
    return checkSymbols(readSettings(values), { paths, release, environment, project }, say);
  }
  throw new UsageError(USAGE);
}

run().then(
  (code) => {
    process.exitCode = code;
  },
  (error: NodeJS.ErrnoException) => {
    const usage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${usage ? error.message : `It failed: ${error.message}`}\n`);
    process.exitCode = usage ? 2 : 1;
  },
);

import { parseArgs } from 'node:util';
import { Refused, Unreachable } from './server-failures.js';
import { readSettings, UsageError } from './settings.js';
import { KINDS } from './symbol-files.js';
import { checkSymbols } from './symbols-check.js';
import { uploadSymbols } from './symbols-upload.js';
import { writeTypes } from './types-write.js';

const USAGE = `quarterdeck symbols upload --kind KIND [options] PATH...
quarterdeck symbols check [options] PATH...
quarterdeck types [options]

KIND is one of ${KINDS.join(', ')}.

  --release R       the release that the symbols or the build belong to
  --environment E   live (default) or test
  --match-key K     name the file yourself; upload only
  --commit SHA      commit of the build; upload only
  --project ID      when the token may see several projects
  --wait SECONDS    how long to wait until the server has read the files, 60 when left out; upload only
  --out FILE        what types writes, quarterdeck.d.ts when left out
  --check           types writes nothing and fails when the file is not what it would write
  --url, --token    instead of QUARTERDECK_URL and QUARTERDECK_TOKEN

Exit codes: 0 all done, 1 something failed, is missing or is another than it should be, 2 the call was wrong or check could not ask the server.`;

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
      wait: { type: 'string' },
      out: { type: 'string' },
      check: { type: 'boolean' },
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
  if (environment !== undefined && environment !== 'live' && environment !== 'test')
    throw new UsageError('--environment is live or test.');
  if (noun === 'symbols' && verb === 'upload') {
    const { kind = '', commit } = values;
    const options = {
      kind,
      paths,
      release,
      environment,
      matchKey: values['match-key'],
      commit,
      project,
      waitMs: waitOf(values.wait),
    };
    return uploadSymbols(readSettings(values), options, say);
  }
  if (noun === 'symbols' && verb === 'check') {
    return checkSymbols(readSettings(values), { paths, release, environment, project }, say);
  }
  if (noun === 'types' && verb === undefined) {
    const { out: file = 'quarterdeck.d.ts', check = false } = values;
    return writeTypes(readSettings(values), { file, check, environment, project }, say);
  }
  throw new UsageError(USAGE);
}

/** Milliseconds to wait. Throws UsageError. */
function waitOf(seconds: string | undefined): number {
  if (seconds !== undefined && !/^\d{1,5}$/.test(seconds)) throw new UsageError('--wait is a number of seconds.');
  return Number(seconds ?? 60) * 1000;
}

run().then(
  (code) => {
    process.exitCode = code;
  },
  (error: NodeJS.ErrnoException) => {
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    const isUnanswered = error instanceof Unreachable || error instanceof Refused;
    process.stderr.write(`${isUsage ? error.message : `It failed: ${error.message}`}\n`);
    process.exitCode = isUsage || isUnanswered ? 2 : 1;
  },
);

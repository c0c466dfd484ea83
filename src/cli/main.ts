#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { COMMANDS, type OptionValues } from './commands.js';
import { helpOf, helpOfAll } from './help.js';
import { requireNode } from './node-version.js';
import { COMMON_OPTIONS, OPTIONS } from './options.js';
import { Refused, Unreachable } from './server/server-failures.js';
import { readConfigFile } from './settings/config-file.js';
import { UsageError } from './settings/settings.js';
import { clearProgress, printLine, printMessage } from './terminal.js';
import { versionOfPackage } from './version.js';

async function run(words: string[]): Promise<number> {
  requireNode();
  const at = words.findIndex((word) => word === 'symbols' || word === 'types');
  const length = words[at] === 'symbols' ? 2 : 1;
  const name = words.slice(Math.max(at, 0), at + length).join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    if (words.some((word) => word === '--version' || word === '-v')) printLine(versionOfPackage());
    else if (words.some((word) => word === '--help' || word === '-h')) printLine(helpOfAll(COMMANDS));
    else
      throw new UsageError(
        `${name === '' || name === 'symbols' ? 'Specify a command.' : `Unknown command "${name}".`}\n\n${helpOfAll(COMMANDS)}`,
      );
    return 0;
  }
  const { values, positionals } = parseArgs({
    args: words.toSpliced(at, length),
    allowPositionals: true,
    options: Object.fromEntries(
      [...command.options, ...COMMON_OPTIONS].map((option) => {
        const { value, multiple = false, short } = OPTIONS[option] ?? {};
        return [
          option,
          { type: value ? ('string' as const) : ('boolean' as const), multiple, ...(short && { short }) },
        ];
      }),
    ),
  });
  const empty = Object.keys(values).find((option) => values[option] === '' && !OPTIONS[option]?.mayBeEmpty);
  if (values.version) printLine(versionOfPackage());
  else if (empty !== undefined) throw new UsageError(`--${empty} needs a value that is not empty.`);
  else if (values.help) printLine(helpOf(name, command));
  else if (command.takes === '' && positionals.length > 0)
    throw new UsageError(`${name} takes only options; remove ${positionals.join(' ')}.\n\n${helpOf(name, command)}`);
  else {
    const config = await readConfigFile(values.config as string | undefined);
    return command.run(values as OptionValues, config, positionals);
  }
  return 0;
}

/** A reader such as `head` may close the pipe early; the work still finishes, and the exit code reports the result. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: NodeJS.ErrnoException) => {
    clearProgress();
    const isUsage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
    const isUnanswered = error instanceof Unreachable || error instanceof Refused;
    printMessage(isUsage ? error.message : `Error: ${error.message}`);
    process.exitCode = isUsage || isUnanswered ? 2 : 1;
  },
);

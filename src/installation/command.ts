import { parseArgs } from 'node:util';
import { clearProgress } from './shown-progress.js';

export interface Command {
  /** One line; `--check` is recognized wherever it appears. */
  usage: string;
  does: string;
  /** What its arguments are, required ones first. */
  words: readonly { asked: string; isOptional?: boolean }[];
  /** What it takes, such as "one folder". */
  takes: string;
}

export interface CommandArguments {
  words: string[];
  check: boolean;
}

/**
 * Runs a command, which returns the exit code. A failure is printed as one sentence and ends the process with 1, even if something is
 * pending; invalid arguments end it with 2.
 */
export async function runCommand(
  command: Command,
  run: (asked: CommandArguments, say: (line: string) => void) => Promise<number>,
): Promise<void> {
  const help = `${command.usage}\n${command.does}\n`;
  const asked = parsedArguments(process.argv.slice(2), command);
  if (asked === 'help') {
    process.stdout.write(help);
    return;
  }
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n\n${help}`);
    process.exit(2);
  }
  try {
    process.exitCode = await run(asked, (line) => {
      clearProgress();
      process.stdout.write(`${line}\n`);
    });
  } catch (error) {
    clearProgress();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function parsedArguments(args: string[], { usage, words, takes }: Command): CommandArguments | 'help' | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        ...(usage.includes('--check') && { check: { type: 'boolean', default: false } as const }),
      },
    });
    if (values.help) return 'help';
    const missing = words.find(({ isOptional }, at) => !isOptional && !positionals[at]);
    if (missing) return `Missing argument: ${missing.asked}.`;
    const others = positionals.slice(words.length);
    if (others.length > 0) return `This command takes ${takes}, not ${others.join(' ')}.`;
    return { words: positionals, check: values.check === true };
  } catch (error) {
    return (error as Error).message;
  }
}

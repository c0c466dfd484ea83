import { spawn } from 'node:child_process';

/** How a run of the command ended. */
export interface Ended {
  code: number | null;
  /** Its results. */
  results: string;
  /** Its messages. */
  messages: string;
  /** Both, results first. */
  out: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Nobody reads its results, as when `head` has read enough. */
  isUnread?: boolean;
  /** The program, with its first arguments; by default the compiled command. */
  program?: readonly string[];
}

/** The compiled command. */
export const COMMAND: readonly string[] = [
  process.execPath,
  new URL('../../../src/cli/main.js', import.meta.url).pathname,
  'symbols',
];

/** Runs `quarterdeck symbols …` in a separate process, with only the given environment variables. */
export function symbolsCommand(options: CommandOptions, ...args: string[]): Promise<Ended> {
  const [program = process.execPath, ...first] = options.program ?? COMMAND;
  const child = spawn(program, [...first, ...args], {
    env: { PATH: process.env.PATH ?? '', ...options.env },
    ...(options.cwd && { cwd: options.cwd }),
  });
  // A program may end without having read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  if (options.isUnread) child.stdout.destroy();
  const written = { results: '', messages: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.results += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.messages += text;
  });
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, ...written, out: written.results + written.messages })),
  );
}

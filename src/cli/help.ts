import type { Command } from './commands.js';
import { COMMON_OPTIONS, OPTIONS } from './options.js';

const EXITS = `Results go to standard output, messages to standard error.
Exit codes: 0 success; 1 something failed, is missing or is unusable; 2 wrong usage, or the server cannot be reached or refuses all.`;

export function helpOfAll(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(([name, command]) => `${usageOf(name, command)}\n    ${command.does}`);
  return `${lines.join('\n')}\n\nRun quarterdeck COMMAND --help for the options of a command.\n\n${EXITS}`;
}

const usageOf = (name: string, { takes }: Command): string => `quarterdeck ${name} [options] ${takes}`.trimEnd();

export function helpOf(name: string, command: Command): string {
  const { takes, does, options } = command;
  const lines = [...options, ...COMMON_OPTIONS].map((option) => {
    const { value, short, says = '' } = OPTIONS[option] ?? {};
    const spelled = `--${option}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
    return `  ${spelled.padEnd(22)}${says}`;
  });
  const paths = takes === '' ? '' : `\n${takes.replace('...', '')} can be - to read from standard input, one per line.`;
  return `${usageOf(name, command)}\n\n${does}${paths}\n\n${lines.join('\n')}\n\n${EXITS}`;
}

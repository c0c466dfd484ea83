import type { Command } from './commands.js';
import { COMMON_OPTIONS, OPTIONS } from './options.js';

const EXITS = `Results are on standard output, messages on standard error. Exit codes: 0 all is well; 1 something failed, is missing or
cannot be used; 2 the call was wrong, or the server could not be asked or refuses all.`;

export function helpOfAll(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(
    ([name, { takes, does }]) => `${['quarterdeck', name, '[options]', takes].join(' ').trimEnd()}\n    ${does}`,
  );
  return `${lines.join('\n')}\n\nquarterdeck COMMAND --help tells the options of each.\n\n${EXITS}`;
}

export function helpOf(name: string, { takes, does, options }: Command): string {
  const lines = [...options, ...COMMON_OPTIONS].map((option) => {
    const { value, short, says = '' } = OPTIONS[option] ?? {};
    const spelled = `--${option}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
    return `  ${spelled.padEnd(22)}${says}`;
  });
  const paths =
    takes === '' ? '' : `\n${takes.replace('...', '')} may be -: then they are read from standard input, one a line.`;
  return `${['quarterdeck', name, '[options]', takes].join(' ').trimEnd()}\n\n${does}${paths}\n\n${lines.join('\n')}\n\n${EXITS}`;
}

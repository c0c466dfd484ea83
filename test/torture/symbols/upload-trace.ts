import { spawnSync } from 'node:child_process';

/** Whether this machine has strace and permits tracing. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-D', '--seccomp-bpf', '-f', '-o', '/dev/null', 'true']).status === 0;
}

/**
 * The command that writes the system calls of the program after it to a file; the process itself can still be
 * signalled.
 */
export function traceCommand(file: string): string[] {
  const calls = 'write,writev,pwrite64,pwritev,fsync,rename,renameat,renameat2,sendto,sendmsg,read,recvfrom';
  return ['strace', '-D', '--seccomp-bpf', '-f', '-y', '-s', '64', '-o', file, '-e', `trace=${calls}`];
}

interface Call {
  name: string;
  text: string;
  /** Lines at which it began and ended. */
  began: number;
  ended: number;
}

/** The calls of a trace in the order in which they began; interrupted calls are joined again. */
function callsOf(trace: string): Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, Call>();
  for (const [index, line] of trace.split('\n').entries()) {
    const resumed = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/.exec(line);
    if (resumed) {
      const call = unfinished.get(resumed[1] ?? '');
      if (call) Object.assign(call, { ended: index, text: call.text + (resumed[3] ?? '') });
      continue;
    }
    const begun = /^(\d+) +(\w+)\((.*)$/.exec(line);
    if (!begun) continue;
    const call = { name: begun[2] ?? '', text: begun[3] ?? '', began: index, ended: index };
    calls.push(call);
    if (line.endsWith('<unfinished ...>')) unfinished.set(begun[1] ?? '', call);
  }
  return calls;
}

/**
 * What the first upload in a trace did, in order: a call counts if it began after the previous one had ended. The
 * commit is that of the connection that inserted the artifact, and ends when the database has confirmed it.
 */
export function durableOrderOf(trace: string): string[] {
  const calls = callsOf(trace);
  const socket = (call: Call): string => /^\d+<[^>]*>/.exec(call.text)?.[0] ?? '';
  const insert = calls.find(({ text }) => text.includes('insert into \\"symbol_artifact\\"'));
  const database = insert === undefined ? 'none' : socket(insert);
  const writes = calls.filter(({ name, text }) => /write/.test(name) && text.includes('/objects/.uploads/'));
  const after = (previous: Call | undefined, matches: (call: Call) => boolean): Call | undefined =>
    previous && calls.find((call) => call.began > previous.ended && matches(call));
  const write = writes.at(-1);
  const file = after(write, ({ name, text }) => name === 'fsync' && text.includes('/objects/.uploads/'));
  const renamed = after(file, ({ name, text }) => /^rename/.test(name) && text.includes('/objects/.uploads/'));
  const folder = after(renamed, ({ name, text }) => name === 'fsync' && text.includes('/objects/symbols/'));
  const commit = after(folder, (call) => socket(call) === database && /"[^"]*commit/i.test(call.text));
  const committed = after(commit, (call) => socket(call) === database && call.text.includes('COMMIT\\0'));
  const answer = after(committed, ({ text }) => text.includes('HTTP/1.1 201'));
  const found: [string, Call | undefined][] = [
    ['write', write],
    ['fsync file', file],
    ['rename', renamed],
    ['fsync directory', folder],
    ['COMMIT', committed],
    ['201', answer],
  ];
  return found.filter(([, call]) => call !== undefined).map(([name]) => name);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FileMessage, FileReport } from './file-report.js';

/** The outcome of one test file: what it counted, and what is wrong with it in words. No faults means it passed. */
export interface FileOutcome {
  file: string;
  ms: number;
  report: FileReport | undefined;
  faults: string[];
  output: string;
}

const oneFile = fileURLToPath(new URL('./one-file.js', import.meta.url));
const afterwardsMs = 4_000;
const running = new Set<ChildProcess>();

/** Runs one compiled test file in a process of its own, and ends it with everything it started. */
export async function runFile(file: string, environment: NodeJS.ProcessEnv, timeoutMs: number): Promise<FileOutcome> {
  const startedAt = performance.now();
  const outcome: FileOutcome = { file, ms: 0, report: undefined, faults: [], output: '' };
  const child = spawn(process.execPath, ['--enable-source-maps', oneFile, file], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      outcome.output += text;
    });
  }

  let deadline = setTimeout(() => {
    outcome.faults.push(`did not finish within ${timeoutMs / 1000} s`);
    killGroup(child);
  }, timeoutMs);
  let heldOpenBy = '';
  child.on('message', (message: FileMessage) => {
    if (message.kind === 'open-handles') {
      heldOpenBy = message.resources.join(', ');
      return;
    }
    outcome.report = message.report;
    clearTimeout(deadline);
    deadline = setTimeout(() => {
      outcome.faults.push(`its tests ended, but an open handle keeps the process alive: ${heldOpenBy || 'unknown'}`);
      killGroup(child);
    }, afterwardsMs);
  });

  const ending = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`could not be started: ${error.message}`));
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  clearTimeout(deadline);
  killGroup(child);
  running.delete(child);
  outcome.ms = performance.now() - startedAt;
  outcome.faults.push(...judge(outcome, ending));
  return outcome;
}

/** Ends every test file under way, for the runner's own end. */
export function killRunningFiles(): void {
  for (const child of running) killGroup(child);
}

function judge({ report, faults }: FileOutcome, ending: string | undefined): string[] {
  if (faults.length > 0) return [];
  if (!report) return [`${ending ?? 'ended'} before its tests were through`];
  const found: string[] = [];
  if (ending !== undefined) found.push(ending);
  // Where a program is missing, what needs it was left out on purpose.
  const forgotten = report.missingPrograms.length > 0 ? [] : report.forgotten;
  for (const name of forgotten) found.push(`suite ${name} was declared but never run: its .run() is missing`);
  if (report.suites === 0) found.push('ran no suite');
  else if (report.tests === 0) found.push('ran no test');
  else if (report.assertions === 0) found.push('made no assertion with uvu/assert');
  return found;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

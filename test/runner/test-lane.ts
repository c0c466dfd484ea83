import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMsOfTree } from '../harness/cpu.js';
import type { FileMessage, FileReport } from './file-report.js';

/** The outcome of one test file: what it counted, and its faults in words. No faults means it passed. */
export interface FileOutcome {
  file: string;
  ms: number;
  /** CPU time of the file and of everything it started, except PostgreSQL; zero if the system does not provide it. */
  cpuMs: number;
  report: FileReport | undefined;
  faults: string[];
  output: string;
}

const laneProcess = fileURLToPath(new URL('./lane-process.js', import.meta.url));
/**
 * Tests allocate much and keep little: with the default of 16 MB for the young generation, a twentieth of the CPU time
 * goes into collecting it. `--expose-gc` is for the lane itself.
 */
const NODE_ARGUMENTS = ['--enable-source-maps', '--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];

/**
 * Runs compiled test files one after another in one process, and in a new one after a file that did not run to its end.
 */
export class TestLane {
  private child: ChildProcess | undefined;
  /** Output goes to a file, because what is written there before a message has arrived when the message does. */
  private readonly output = openOutput();
  private outputRead = 0;

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly timeoutMs: number,
  ) {}

  async run(file: string): Promise<FileOutcome> {
    const startedAt = performance.now();
    const outcome: FileOutcome = { file, ms: 0, cpuMs: 0, report: undefined, faults: [], output: '' };
    const wasRunning = this.child?.connected;
    const child = this.child && wasRunning ? this.child : this.start();
    const cpuBefore = wasRunning ? cpuMsOfTree(child.pid ?? 0) : 0;
    const deadline = setTimeout(() => {
      outcome.faults.push(`did not finish within ${this.timeoutMs / 1000} s`);
      killGroup(child);
    }, this.timeoutMs);
    let isLarge = false;
    const ending = await new Promise<string | undefined>((resolve) => {
      child.on('error', (error) => resolve(`could not be started: ${error.message}`));
      child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
      child.on('message', (message: FileMessage) => {
        if (message.kind === 'over') {
          outcome.cpuMs = cpuMsOfTree(child.pid ?? 0) - cpuBefore + (outcome.report?.unclaimedCpuMs ?? 0);
          isLarge = message.isLarge;
          resolve(undefined);
        } else if (message.kind === 'open-handles') {
          const held = message.resources.join(', ') || 'unknown';
          outcome.faults.push(`its tests ended, but an open handle keeps the process alive: ${held}`);
          killGroup(child);
        } else outcome.report = message.report;
      });
      child.send(file);
    });
    clearTimeout(deadline);
    for (const event of ['error', 'exit', 'message']) child.removeAllListeners(event);
    if (ending !== undefined || isLarge) this.stop();
    outcome.ms = performance.now() - startedAt;
    outcome.output = this.newOutput();
    outcome.faults.push(...judge(outcome, ending));
    return outcome;
  }

  /** Ends the process and everything that it started. */
  stop(): void {
    if (this.child) killGroup(this.child);
    this.child = undefined;
  }

  close(): void {
    this.stop();
    closeSync(this.output);
  }

  private start(): ChildProcess {
    this.child = spawn(process.execPath, [...NODE_ARGUMENTS, laneProcess], {
      env: this.environment,
      stdio: ['ignore', this.output, this.output, 'ipc'],
      detached: true,
    });
    return this.child;
  }

  private newOutput(): string {
    const bytes = Buffer.alloc(1_000_000);
    let text = '';
    for (;;) {
      const length = readSync(this.output, bytes, 0, bytes.length, this.outputRead);
      if (length === 0) return text;
      this.outputRead += length;
      text += bytes.toString('utf8', 0, length);
    }
  }
}

/** Runs one compiled test file in a separate process, then ends it and everything it started. */
export async function runFile(file: string, environment: NodeJS.ProcessEnv, timeoutMs: number): Promise<FileOutcome> {
  const lane = new TestLane(environment, timeoutMs);
  try {
    return await lane.run(file);
  } finally {
    lane.close();
  }
}

/** An unnamed file opened for appending. */
function openOutput(): number {
  const path = join(tmpdir(), `quarterdeck-lane-${randomUUID()}`);
  const output = openSync(path, 'a+');
  rmSync(path);
  return output;
}

function judge({ report, faults }: FileOutcome, ending: string | undefined): string[] {
  if (faults.length > 0) return [];
  if (!report) return [`${ending ?? 'ended'} before its tests were through`];
  const found: string[] = [];
  if (ending !== undefined) found.push(ending);
  // If a program is missing, what needs it was skipped on purpose.
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
    // The process group has already ended.
  }
}

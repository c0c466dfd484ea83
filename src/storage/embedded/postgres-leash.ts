import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { CHILD_ENVIRONMENT } from './postgres-binaries.js';

const OPTIONS = { cwd: '/', env: CHILD_ENVIRONMENT };

/**
 * Waits for the end of its input, which comes when the process at the other end stops or dies for any reason. Each
 * leash holds a shared lock on the cluster's folder; only the last one gets the exclusive lock and stops the server. It
 * ignores signals that a terminal or service manager sends to all processes at once.
 */
const WAIT = `trap '' INT TERM HUP; exec 9<"$1"; flock -s 9; read -r line; flock -u 9; flock -xn 9 && kill -INT "$0"`;

/** Ties a server to the processes that use it: it shuts down when the last of them has ended. */
export class PostgresLeash {
  private constructor(private readonly waiting: ChildProcess) {}

  /** Undefined where the system has no `flock`. */
  static attach(folder: string, pid: number): PostgresLeash | undefined {
    try {
      execFileSync('flock', ['-s', '/', 'true'], { ...OPTIONS, stdio: 'ignore' });
    } catch {
      return undefined;
    }
    // In its own session, for the same reason as the server.
    const waiting = spawn('/bin/sh', ['-c', WAIT, String(pid), folder], {
      ...OPTIONS,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    waiting.on('error', () => {});
    waiting.stdin.on('error', () => {});
    waiting.unref();
    (waiting.stdin as Socket).unref();
    return new PostgresLeash(waiting);
  }

  /** Leaves the server to its other users; without any it shuts down. */
  letGo(): void {
    this.waiting.stdin?.end();
  }

  /** Called when the server has ended, because its process id may be reused. */
  drop(): void {
    this.waiting.kill('SIGKILL');
  }
}

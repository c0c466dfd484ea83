import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inherited } from '../../harness/server-process.js';

const program = fileURLToPath(new URL('./held-clock-process.js', import.meta.url));

/** A server in a separate process, where time passes only when the test says so. */
export class HeldClockServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts a server at this instant on a migrated database. */
  static async start(instant: Date, settings: Record<string, string>): Promise<HeldClockServer> {
    const child = fork(program, [instant.toISOString()], {
      execPath: process.execPath,
      env: { ...inherited(), ...settings },
    });
    const port = await Promise.race([
      once(child, 'message').then(([message]) => message as number),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
    ]);
    return new HeldClockServer(child, `http://127.0.0.1:${port}`);
  }

  async advance(milliseconds: number): Promise<void> {
    this.child.send(milliseconds);
    await once(this.child, 'message');
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}

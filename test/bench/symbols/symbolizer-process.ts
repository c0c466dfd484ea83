import { spawn } from 'node:child_process';

/** A running `llvm-symbolizer` that has the file open. */
export interface SymbolizerProcess {
  /** Looks up all addresses at once and returns the total number of frames. */
  frames(addresses: readonly number[]): Promise<number>;
  stop(): void;
}

/**
 * Starts a symbolizer on one file. Its answers are counted but not parsed, which makes this the cheapest possible
 * client.
 */
export function startSymbolizer(program: string, file: string): SymbolizerProcess {
  const child = spawn(program, ['--output-style=LLVM', `--obj=${file}`], { stdio: ['pipe', 'pipe', 'ignore'] });
  return {
    frames: (addresses) =>
      new Promise((resolve, reject) => {
        let answers = 0;
        let lines = 0;
        let last = 0;
        const onData = (chunk: Buffer): void => {
          for (const byte of chunk) {
            if (byte === 0x0a) {
              if (last === 0x0a) answers++;
              else lines++;
            }
            last = byte;
          }
          if (answers < addresses.length) return;
          child.stdout.off('data', onData);
          child.off('exit', reject);
          // A frame is two lines: function, then location.
          resolve(lines / 2);
        };
        child.stdout.on('data', onData);
        child.once('exit', reject);
        child.stdin.write(`${addresses.map((address) => `0x${address.toString(16)}`).join('\n')}\n`);
      }),
    stop: () => {
      child.kill();
    },
  };
}

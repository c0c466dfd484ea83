import { startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';

/**
 * Started by tests as a separate process. Argument 1 is the data folder. Prints the URL, and stops when its input ends.
 */
const database = await startEmbeddedDatabase({
  dataDir: process.argv[2] ?? '',
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${database.url}\n`);
process.stdin.once('end', () => {
  void database.stop().then(() => process.exit(0));
});
process.stdin.resume();

import { join } from 'node:path';
import { keptSecret } from '../../src/installation/secrets.js';

/**
 * `node kept-secret-process.js FOLDER ROUNDS`: once told to go, asks for a secret in one new folder after another and
 * prints them.
 */
const [folder = '', rounds] = process.argv.slice(2);
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const secrets: string[] = [];
  for (let round = 0; round < Number(rounds); round++)
    secrets.push(await keptSecret(join(folder, String(round)), 'jwt-secret', null));
  process.stdout.write(JSON.stringify(secrets), () => process.exit());
});

import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const logger = suite('logger');
const module = new URL('../../src/kernel/logger.js', import.meta.url).href;

function logged(statement: string): string {
  const script = `import { createLogger } from '${module}'; const log = createLogger('info'); ${statement}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stderr;
}

logger('keeps an error’s data and drops the request and connection attached to it', () => {
  const line = logged(`
    const error = Object.assign(new Error('Parse Error'), {
      code: 'HPE_INVALID', rawPacket: Buffer.from('x-api-key: sk_live_canary'), client: { password: 'canary' },
    });
    log.error({ err: error }, 'a request failed');`);
  const { err, msg } = JSON.parse(line) as { err: Record<string, unknown>; msg: string };
  assert.is(msg, 'a request failed');
  assert.is(err.message, 'Parse Error');
  assert.is(err.code, 'HPE_INVALID');
  assert.equal(Object.keys(err).sort(), ['code', 'message', 'stack', 'type']);
});

logger('redacts secrets by field name', () => {
  const line = logged(`log.info({ token: 'canary', user: { email: 'canary', id: 'u1' } }, 'signed in');`);
  assert.not.match(line, 'canary');
  assert.match(line, 'u1');
});

logger.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AddressGuard } from '../../../../src/kernel/outbound/target-address.js';
import { systemResolver } from '../../../../src/kernel/outbound/target-resolution.js';
import { isRefusal, readTarget } from '../../../../src/kernel/outbound/target-url.js';
import { DeliveryTransport, TRANSPORT_DEFAULTS } from '../../../../src/modules/webhooks/delivery/delivery-transport.js';
import { answer, hostileReceiver } from '../../../support/receivers/hostile-receiver.js';
import { NXDOMAIN, SERVFAIL, type StubAnswer, stubDns } from '../../../support/receivers/stub-dns.js';

const guard = new AddressGuard(['127.0.0.5']);

const ANSWERS: Record<string, StubAnswer> = {
  'good.test': { addresses: ['127.0.0.5'] },
  'loopback.test': { addresses: ['127.0.0.1'] },
  'mixed.test': { addresses: ['127.0.0.5', '10.0.0.1'] },
  'mixed6.test': { addresses: ['127.0.0.5', '::1'] },
  'mapped.test': { addresses: ['::ffff:10.0.0.1'] },
  'alias.test': { cname: 'localhost' },
  'servfail.test': SERVFAIL,
  'silent.test': 'silence',
  'many.test': { addresses: [...Array<string>(999).fill('127.0.0.5'), '127.0.0.1'] },
};

const names = suite('names of targets');

names('names are resolved by the server asked, and every answer is checked', async () => {
  const trap = await hostileReceiver(answer(200), { host: '127.0.0.1' });
  const receiver = await hostileReceiver(answer(200), { port: trap.port });
  const dns = await stubDns((name) => ANSWERS[name] ?? NXDOMAIN);
  const [patient, impatient] = [30_000, 1_000].map(
    (timeout) =>
      new DeliveryTransport(guard, systemResolver([dns.server], { timeout, tries: 2 }), {
        ...TRANSPORT_DEFAULTS,
        timeoutMs: 120_000,
      }),
  ) as [DeliveryTransport, DeliveryTransport];
  const outcome = async (name: string, sender = patient): Promise<unknown> => {
    const target = readTarget(`http://${name}:${trap.port}/`, guard);
    if (isRefusal(target)) return target.reason;
    const { status, failure } = await sender.attempt(target, {}, '{}');
    return status ?? failure;
  };
  try {
    assert.is(await outcome('good.test'), 200);
    assert.is(await outcome('loopback.test'), 'address:loopback');
    assert.is(await outcome('mixed.test'), 'address:private');
    assert.is(await outcome('mixed6.test'), 'address:loopback');
    assert.match(String(await outcome('mapped.test')), /^address:ipv4_mapped$/);
    assert.match(String(await outcome('alias.test')), /^(dns|address):/);
    assert.is(await outcome('many.test'), 'address:loopback');
    assert.is(await outcome('nowhere.test'), 'dns:ENOTFOUND');
    assert.is(await outcome('servfail.test'), 'dns:ESERVFAIL');
    assert.is(await outcome('silent.test', impatient), 'dns:ETIMEOUT');
    assert.is(trap.connections, 0);
    assert.is(receiver.requests.length, 1);
  } finally {
    await Promise.all([patient.close(), impatient.close(), dns.close(), trap.close(), receiver.close()]);
  }
});

names('concurrent lookups of one name are one query', async () => {
  const dns = await stubDns(() => ({ addresses: ['127.0.0.5'] }));
  const resolve = systemResolver([dns.server], { timeout: 30_000, tries: 1 });
  const found = await Promise.all(Array.from({ length: 50 }, () => resolve('good.test')));
  assert.ok(found.every((addresses) => addresses.join() === '127.0.0.5'));
  assert.is(dns.questions, 2);
  await resolve('good.test');
  assert.is(dns.questions, 4);
  await dns.close();
});

names("the machine's own names are resolved without a name server", async () => {
  assert.ok((await systemResolver()('localhost')).includes('127.0.0.1'));
});

names.run();

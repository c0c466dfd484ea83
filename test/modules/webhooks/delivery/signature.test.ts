import type { KeyObject } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signatureHeaders } from '../../../../src/modules/webhooks/delivery/signature.js';
import { SecretSeal } from '../../../../src/modules/webhooks/subscriptions/secret-seal.js';
import {
  newSigningSecret,
  ROTATION_OVERLAP_MS,
  signingKey,
} from '../../../../src/modules/webhooks/subscriptions/signing-secret.js';

const signatures = suite('webhook signatures');

signatures("the specification's vector", () => {
  const keys = { current: signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), previous: null, previousUntil: 0 };
  const headers = signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330_999, '{"test": 2432232314}', keys);
  assert.equal(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

signatures('the published package verifies what is signed, and refuses anything modified', () => {
  const secret = newSigningSecret();
  const body = JSON.stringify({ text: 'žluťoučký \u{1f40e} \ufffd', n: 1 });
  const headers = signatureHeaders('evt_1', Date.now(), body, only(secret));
  assert.equal(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
  assert.throws(() => new Webhook(secret).verify(`${body} `, { ...headers }));
  assert.throws(() => new Webhook(newSigningSecret()).verify(body, { ...headers }));
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' }));
});

signatures('during a rotation holders of either secret can verify, afterwards only those of the new one', () => {
  const [before, after] = [newSigningSecret(), newSigningSecret()];
  const now = Date.now();
  const keys = { current: signingKey(after), previous: signingKey(before), previousUntil: now + 1 };
  const during = { ...signatureHeaders('evt_1', now, '{}', keys) };
  new Webhook(before).verify('{}', during);
  new Webhook(after).verify('{}', during);
  assert.is(during['webhook-signature'].split(' ').length, 2);
  const done = { ...signatureHeaders('evt_1', now + 1, '{}', keys) };
  new Webhook(after).verify('{}', done);
  assert.throws(() => new Webhook(before).verify('{}', done));
  assert.is(ROTATION_OVERLAP_MS, 86_400_000);
});

signatures('a secret is 32 random bytes; anything else that claims to be one is refused', () => {
  assert.match(newSigningSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.is(signingKey(newSigningSecret()).symmetricKeySize, 32);
  assert.is.not(newSigningSecret(), newSigningSecret());
  for (const bad of [
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_c2hvcnQ=',
    'whsec_***',
    `whsec_${'A'.repeat(100)}`,
  ]) {
    assert.throws(() => signingKey(bad), /24 to 64 bytes/, bad);
  }
});

signatures('a sealed secret opens only with the same server secret and for the same subscription', () => {
  const secret = newSigningSecret();
  const seal = new SecretSeal('server secret');
  const sealed = seal.seal(secret, 'whk_1');
  assert.not.match(sealed, secret.slice(6, 20));
  assert.is.not(sealed, seal.seal(secret, 'whk_1'));
  assert.is(new SecretSeal('server secret').open(sealed, 'whk_1'), secret);
  assert.throws(() => seal.open(sealed, 'whk_2'));
  assert.throws(() => new SecretSeal('another').open(sealed, 'whk_1'));
  assert.is(new SecretSeal('another', ['server secret']).open(sealed, 'whk_1'), secret);
  assert.throws(() => seal.open('', 'whk_1'));
});

signatures.run();

function only(secret: string): { current: KeyObject; previous: null; previousUntil: number } {
  return { current: signingKey(secret), previous: null, previousUntil: 0 };
}

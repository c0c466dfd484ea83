import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DecisionClient, type KeptAnswer } from '../../src/sdk/core/decision-client.js';
import { LiveUpdates } from '../../src/sdk/core/live-updates.js';
import type { HttpRequest } from '../../src/sdk/core/platform.js';
import { Session } from '../../src/sdk/core/session.js';
import { MovedPlatform } from './moved-platform.js';

interface Answer {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly text?: Promise<string>;
}

/** A server whose flag `who` is the distinct id of the caller, unless the test says otherwise. */
class AskedPlatform extends MovedPlatform {
  asked = 0;
  version = 1;
  readonly next: Answer[] = [];

  async request(_url: string, { body }: HttpRequest) {
    this.asked += 1;
    const { distinct_id: value } = JSON.parse(String(body)) as { distinct_id: string };
    const { status = 200, retryAfter = null, text } = this.next.shift() ?? {};
    const flags = { who: { value, variant: 'on', reason: 'rule', version: this.version } };
    const config = { version: { value: this.version, reason: 'rule', version: this.version } };
    const answered = Promise.resolve(JSON.stringify({ modules: { switch: { flags }, config: { values: config } } }));
    return {
      status,
      headers: { get: (name: string) => (name === 'retry-after' ? retryAfter : null) },
      text: () => text ?? answered,
    };
  }

  override random(): number {
    return 0;
  }
}

const connectionOf = (platform: AskedPlatform) => ({ platform, url: 'https://server', key: 'sk_live_1' });

const x = suite('the person, the session and the decisions of the client core');

x('keeps values for the person they were decided for, and for nobody else', async () => {
  const platform = new AskedPlatform();
  const client = new DecisionClient(connectionOf(platform), 'answer', { distinct_id: 'ada' }, { hold: true });
  const shown = () => [client.decisions.flags.who?.value, client.decisions.config.version?.value, client.knowledge];
  await client.refresh();
  platform.version = 2;
  client.ofSubject({ distinct_id: 'ada', context: { country: 'ke' } });
  await client.refresh();
  assert.equal(shown(), ['ada', 1, 'fresh']);
  client.ofSubject({ distinct_id: 'bob' });
  assert.equal(shown(), ['ada', 1, 'former']);
  await client.refresh();
  assert.equal(shown(), ['bob', 2, 'fresh']);
});

x('shows the answer to the later of two requests, even if the other one arrives after it', async () => {
  const platform = new AskedPlatform();
  const client = new DecisionClient(connectionOf(platform), 'answer', { distinct_id: 'ada' }, {});
  let arrive = (_text: string): void => undefined;
  platform.next.push({ text: new Promise((resolve) => (arrive = resolve)) });
  const slow = client.refresh();
  const never = new Promise<string>(() => undefined);
  platform.next.push({}, { text: never });
  platform.version = 2;
  const quick = client.refresh();
  void client.refresh();
  await quick;
  assert.equal([client.decisions.config.version?.value, client.knowledge], [2, 'fresh'], 'whatever else is in flight');
  arrive(JSON.stringify({ modules: { config: { values: { version: { value: 1, reason: 'rule', version: 1 } } } } }));
  await slow;
  assert.is(client.decisions.config.version?.value, 2);
});

x('keeps what another tab received during its own request, and asks again when that ends', async () => {
  const platform = new AskedPlatform();
  const told: KeptAnswer[] = [];
  const subject = { distinct_id: 'ada' };
  const client = new DecisionClient(connectionOf(platform), 'answer', subject, {
    onAnswer: (answer) => told.push(answer),
  });
  const seen: unknown[] = [];
  client.onChange(() => seen.push(client.decisions.config.version?.value));
  const bodyOf = (version: number) => ({
    modules: { config: { values: { version: { value: version, reason: 'rule', version } } } },
  });
  let arrive = (_text: string): void => undefined;
  platform.next.push({ text: new Promise((resolve) => (arrive = resolve)) });
  const slow = client.refresh();
  client.take({ subject: JSON.stringify(subject), etag: '"2"', body: bodyOf(2) });
  platform.version = 3;
  arrive(JSON.stringify(bodyOf(1)));
  await slow;
  assert.equal([seen, platform.asked, told.length], [[2, 3], 2, 1]);
  await client.refresh();
  assert.is(platform.asked, 3, 'once');
});

x('asks again if an answer broke off, and no sooner than the server says', async () => {
  const platform = new AskedPlatform();
  const client = new DecisionClient(connectionOf(platform), 'answer', { distinct_id: 'ada' }, {});
  const nothing = () => undefined;
  const options = { stream: false, pollSeconds: 30, onNotice: nothing, onSurveys: nothing, onReachable: nothing };
  const live = new LiveUpdates(connectionOf(platform), client, options);
  platform.next.push({ text: Promise.reject(new TypeError('the line broke')) }, { status: 429, retryAfter: '60' });
  live.lead();
  await platform.pass(0);
  await platform.pass(1_000);
  assert.equal([platform.asked, client.knowledge], [2, 'nothing']);
  await platform.pass(59_999);
  assert.is(platform.asked, 2);
  await platform.pass(1);
  assert.equal([platform.asked, client.knowledge], [3, 'fresh']);
  await platform.pass(30_000);
  assert.is(platform.asked, 4);
  live.stop('resting');
});

x('tells listeners that a kept answer is kept', async () => {
  const platform = new AskedPlatform();
  const [ada, bob] = [{ distinct_id: 'ada' }, { distinct_id: 'bob' }];
  await new DecisionClient(connectionOf(platform), 'answer', ada, {}).refresh();
  const client = new DecisionClient(connectionOf(platform), 'answer', bob, {});
  const heard: string[] = [];
  client.onChange(() => heard.push(client.knowledge));
  client.ofSubject(ada);
  await client.refresh();
  client.ofSubject(bob);
  await client.refresh();
  assert.equal(heard, ['kept', 'fresh']);
});

x('accepts no invalid answer', () => {
  const platform = new AskedPlatform();
  const client = new DecisionClient(connectionOf(platform), 'answer', { distinct_id: 'ada' }, {});
  for (const answer of [undefined, null, {}, 'text', { subject: '{"distinct_id":"ada"}' }])
    assert.is(client.take(answer as never), false);
  assert.is(client.knowledge, 'nothing');
});

x('ends a session after half an hour of inactivity, even if the clock was set back', async () => {
  for (const pass of [
    (platform: AskedPlatform) => platform.pass(1_800_000),
    (platform: AskedPlatform) => platform.setClock(-86_400_000),
  ]) {
    const platform = new AskedPlatform();
    const session = new Session(platform, 'q:', null);
    const { session_id } = session.present.told;
    session.happened('a');
    await platform.pass(1_799_999);
    session.goOn();
    assert.is(session.present.told.session_id, session_id);
    session.happened('a');
    await pass(platform);
    session.goOn();
    assert.equal([session.present.told.session_id === session_id, session.present.count], [false, 2]);
  }
});

x('remembers that a session was reported, however much happens in it', () => {
  const platform = new AskedPlatform();
  const session = new Session(platform, 'q:', null);
  assert.is(session.present.isReported, false);
  session.happened('session_start');
  for (let n = 0; n < 200; n += 1) session.happened(`event ${n}`);
  assert.is(new Session(platform, 'q:', null).present.isReported, true);
  session.reset();
  assert.is(session.present.isReported, false);
});

x.run();

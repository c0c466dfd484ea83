import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  decisionAnswer,
  handshakeAnswer,
  servedHandshake,
  servedSlice,
} from '../../../src/modules/handshake/answer.js';
import { DECISION_MODULES, installedModules } from '../../../src/modules/handshake/decision-modules.js';
import { compileSnapshot, concerns } from '../../../src/modules/handshake/snapshot.js';
import type { SnapshotSource } from '../../../src/modules/handshake/snapshot-source.js';
import { flagSubject } from '../../../src/modules/switch/evaluation/flag-subject.js';
import type { SubjectFacts } from '../../../src/targeting/subject.js';

const x = suite('handshake answers');

const base: SnapshotSource = {
  projectId: 'p1',
  environment: 'live',
  disabled: [],
  flags: [],
  items: [],
  cohorts: [{ id: 'coh_beta', name: 'beta', predicate: null, ids: ['u'], rules: null }],
  release: { version: '1.2.0' },
  sampleRate: 0.25,
};

const flag = (key: string, rules: SnapshotSource['flags'][number]['rules'] = [], version = 3) => ({
  id: `flg_${key}`,
  key,
  version,
  variants: [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ],
  defaultVariant: 'off',
  rules,
  halted: false,
  archived: false,
});
const beta = { conditions: [{ attribute: 'cohort', values: ['beta'] }], percentage: 100, variant: 'on' };
const half = { conditions: [], percentage: 50, variant: 'on' };
const item = (key: string, type: string, value: string, rule: { cohort: string; value: string } | null = null) => ({
  id: `id of ${key}`,
  key,
  type,
  version: 2,
  value,
  rule,
});

function answer(source: Partial<SnapshotSource>, facts: SubjectFacts = {}, installed?: string) {
  const snapshot = compileSnapshot({ ...base, ...source });
  const { json, etag } = handshakeAnswer(snapshot, installedModules(installed), flagSubject(facts));
  const text = json();
  return { json: JSON.parse(text), text, etag };
}

x('is unchanged when the caller has the current tag, and nothing is decided', () => {
  const snapshot = compileSnapshot({
    ...base,
    flags: [flag('checkout', [beta]), flag('half', [half])],
    items: [item('limit', 'int', '5', { cohort: 'beta', value: '9' })],
  });
  const known = { distinctId: 'u', cohorts: ['beta'] };
  const first = handshakeAnswer(snapshot, DECISION_MODULES, flagSubject(known));
  assert.is(servedHandshake(snapshot, DECISION_MODULES, first.served), first.json());
  const flags = servedSlice(snapshot, 'switch', first.served);
  assert.equal(JSON.parse(flags.json()), JSON.parse(first.json()).modules.switch, 'no rule was evaluated');
});

x('has the specified shape', () => {
  const { json } = answer(
    { flags: [flag('checkout', [beta])], items: [item('limit', 'int', '5')] },
    { distinctId: 'u', cohorts: ['z', 'beta'] },
  );
  for (const name of DECISION_MODULES) {
    assert.match(json.modules[name].etag, /^"[\w-]{27}"$/, name);
    delete json.modules[name].etag;
  }
  assert.equal(json, {
    project_id: 'p1',
    environment: 'live',
    modules: {
      switch: { enabled: true, flags: { checkout: { value: true, variant: 'on', reason: 'rule', version: 3 } } },
      config: { enabled: true, values: { limit: { value: 5, type: 'int', version: 2, reason: 'default' } } },
      deploy: { enabled: true, release: { version: '1.2.0' } },
      catch: { enabled: true, sample_rate: 0.25 },
      analytics: { enabled: true, cohorts: ['beta', 'z'] },
    },
  });
});

x('config values are typed, and large integers keep their digits', () => {
  const items = [
    item('a', 'string', 'say "hi"'),
    item('b', 'int', '12345678901234567890'),
    item('c', 'float', '1.5'),
    item('d', 'bool', 'true'),
    item('e', 'json', ' {"a":[1,null]}\n'),
    item('f', 'json', 'not json'),
  ];
  const { json, text } = answer({ items });
  const values = Object.values(json.modules.config.values as Record<string, { value: unknown }>).map(
    ({ value }) => value,
  );
  assert.equal(values, ['say "hi"', Number('12345678901234567890'), 1.5, true, { a: [1, null] }, null]);
  assert.match(text, '"value":12345678901234567890,');
});

x('a config rule serves its value to its cohort', () => {
  const items = [item('limit', 'int', '5', { cohort: 'beta', value: '50' })];
  const limit = (cohorts: string[]) => {
    const { value, reason } = answer({ items }, { cohorts }).json.modules.config.values.limit;
    return `${value} ${reason}`;
  };
  assert.equal([limit([]), limit(['alpha']), limit(['alpha', 'beta'])], ['5 default', '5 default', '50 rule']);
});

x('installed narrows the answer', () => {
  const names = (installed?: string) => Object.keys(answer({}, {}, installed).json.modules);
  assert.equal(names(), [...DECISION_MODULES]);
  assert.equal(names(' '), [...DECISION_MODULES]);
  assert.equal(names('config, Switch,nothing,config'), ['switch', 'config']);
  assert.equal(names('nothing'), []);
});

x('a disabled module is off and empty', () => {
  const { json } = answer({ disabled: [...DECISION_MODULES], flags: [flag('a')], items: [item('b', 'int', '1')] });
  const { switch: flags, config, deploy, catch: crashes, analytics } = json.modules;
  assert.equal(
    [flags, config, deploy, crashes, analytics].map(({ etag: _, ...rest }) => rest),
    [
      { enabled: false, flags: {} },
      { enabled: false, values: {} },
      { enabled: false, release: null },
      { enabled: false, sample_rate: 0 },
      { enabled: false, cohorts: [] },
    ],
  );
});

x('a decision endpoint answers the slice of the handshake under its own tag', () => {
  const snapshot = compileSnapshot({ ...base, flags: [flag('a', [half])] });
  const subject = flagSubject({ distinctId: 'u1' });
  const whole = JSON.parse(handshakeAnswer(snapshot, DECISION_MODULES, subject).json());
  for (const name of DECISION_MODULES) {
    const { json, etag } = decisionAnswer(snapshot, name, subject);
    assert.equal(JSON.parse(json()), whole.modules[name]);
    assert.is(etag, whole.modules[name].etag);
  }
});

x('the tag covers what was evaluated: equal answers share it, others do not', () => {
  const flags = [flag('a', [half]), flag('b', [beta])];
  const seen = new Map<string, string>();
  for (let id = 0; id < 200; id += 1) {
    const { etag, text } = answer({ flags }, { distinctId: `u${id}`, cohorts: id % 2 ? ['beta'] : [] });
    assert.is(seen.get(etag) ?? text, text);
    seen.set(etag, text);
  }
  assert.is(seen.size, 4);
  assert.is(new Set(seen.values()).size, 4);
});

x('the order of storage makes no difference, but content does', () => {
  const flags = [flag('b'), flag('a', [half]), flag('__proto__'), flag('B')];
  const items = [item('y', 'int', '1'), item('x', 'int', '2')];
  const first = answer({ flags, items }, { distinctId: 'u' });
  const second = answer({ flags: [...flags].reverse(), items: [...items].reverse() }, { distinctId: 'u' });
  assert.is(first.text, second.text);
  assert.is(first.etag, second.etag);
  assert.equal(Object.keys(first.json.modules.switch.flags), ['B', '__proto__', 'a', 'b']);
  const changed = [
    answer({ flags: [flag('a', [half], 4)], items }, { distinctId: 'u' }),
    answer({ flags, items, release: null }, { distinctId: 'u' }),
    answer({ flags, items, sampleRate: 1 }, { distinctId: 'u' }),
    answer({ flags, items, environment: 'test' }, { distinctId: 'u' }),
    answer({ flags, items, projectId: 'p2' }, { distinctId: 'u' }),
    answer({ flags, items }, { distinctId: 'u' }, 'switch'),
    answer({ flags, items }, { distinctId: 'u', cohorts: ['new'] }),
  ].map(({ etag }) => etag);
  assert.is(new Set([first.etag, ...changed]).size, changed.length + 1);
});

x('a change in one module leaves the tags of the others', () => {
  const before = answer({ flags: [flag('a')] }).json.modules;
  const after = answer({ flags: [{ ...flag('a'), halted: true, version: 4 }] }).json.modules;
  assert.equal(after.switch.flags.a, { value: false, variant: 'off', reason: 'halted', version: 4 });
  assert.equal(
    DECISION_MODULES.filter((name) => before[name].etag !== after[name].etag),
    ['switch'],
  );
});

x('outcomes that read alike share a tag', () => {
  const rules = [beta, { ...beta, conditions: [{ attribute: 'cohort', values: ['alpha'] }] }];
  const of = (...cohorts: string[]) => answer({ flags: [flag('a', rules)] }, { cohorts }, 'switch');
  assert.is(of('alpha').text, of('beta').text);
  assert.is(of('alpha').etag, of('beta').etag);
  assert.is.not(of('alpha').etag, of().etag);
});

x('the person is looked up only if an answer depends on stored facts, and only for those', () => {
  const plan = { conditions: [{ attribute: 'props.plan', values: ['pro'] }], percentage: 100, variant: 'on' };
  const ruled = item('x', 'int', '1', { cohort: 'beta', value: '2' });
  const cohorts = [
    { id: 'coh_beta', name: 'beta', predicate: 'AND(props.b = "1", props.a = "2")', ids: null, rules: null },
  ];
  const table: [Partial<SnapshotSource>, string | undefined, boolean][] = [
    [{ flags: [flag('a', [half])], items: [item('x', 'int', '1')] }, undefined, false],
    [{ flags: [flag('a', [plan])] }, undefined, true],
    [{ flags: [flag('a', [plan])] }, 'config', false],
    [{ items: [ruled] }, undefined, true],
    [{ items: [ruled], disabled: ['config'] }, undefined, false],
    [{ cohorts }, undefined, true],
    [{ cohorts }, 'switch,config', false],
    [{ cohorts, disabled: ['analytics'] }, undefined, false],
  ];
  for (const [source, installed, expected] of table) {
    const { personal } = compileSnapshot({ ...base, cohorts: [], ...source });
    assert.is(concerns(personal, installedModules(installed)), expected, JSON.stringify(source));
  }
  const wanted = (source: Partial<SnapshotSource>) =>
    JSON.parse(compileSnapshot({ ...base, cohorts: [], ...source }).wanted);
  assert.equal(wanted({ flags: [flag('a', [plan])] }), { properties: ['plan'], ids: false });
  assert.equal(wanted({ flags: [flag('a', [plan])], cohorts }), { properties: ['a', 'b', 'plan'], ids: false });
  assert.equal(wanted({ cohorts, disabled: ['analytics'] }), { properties: [], ids: false });
  assert.equal(wanted({ cohorts: [{ id: 'coh_l', name: 'l', predicate: null, ids: ['u'], rules: null }] }), {
    properties: [],
    ids: true,
  });
});

x.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  matchesPattern,
  patternsOf,
  unknownPatterns,
} from '../../../../src/modules/webhooks/subscriptions/event-pattern.js';

const KINDS = ['config.item.rolled_back', 'config.item.created', 'switch.flag.halted', 'switch.cohort.created'];

const patterns = suite('event patterns');

patterns('a kind matches its four patterns', () => {
  assert.equal(patternsOf('config.item.rolled_back'), ['*', 'config.*', 'config.item.*', 'config.item.rolled_back']);
  assert.ok(matchesPattern(['switch.flag.*'], 'switch.flag.halted'));
  assert.not.ok(matchesPattern(['switch.flag.*', 'config.*'], 'switch.cohort.created'));
  assert.not.ok(matchesPattern([], 'switch.flag.halted'));
});

patterns('every form is checked against the catalog', () => {
  assert.equal(unknownPatterns(['*', 'config.*', 'config.item.*', 'switch.flag.halted'], KINDS), []);
  const bad = [
    '',
    ' ',
    '**',
    'config',
    'config.item',
    'conf.*',
    'config.*.created',
    'config.itm.*',
    'config.item.deleted',
    '*.item.created',
    'Config.*',
    'config.item.*.*',
    'config.item.rolled_back ',
    '__proto__',
    'constructor.*',
    'config.\u0000.*',
  ];
  assert.equal(unknownPatterns(bad, KINDS), bad);
});

patterns.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compareVersions,
  parseVersion,
  parseVersionRange,
  type Version,
} from '../../src/targeting/versions/version-range.js';

const x = suite('version ranges');

function version(text: string): Version {
  const parsed = parseVersion(text);
  assert.ok(parsed !== null, `${text} is a version`);
  return parsed as Version;
}

x('precedence follows Semantic Versioning, section 11', () => {
  const ordered = [
    '0.9',
    '1.0.0-0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.0.7',
    '1.0.1',
    '1.2',
    '1.10',
    '2',
    '10.0.0',
  ];
  for (const [index, lower] of ordered.entries()) {
    for (const higher of ordered.slice(index + 1)) {
      assert.ok(compareVersions(version(lower), version(higher)) < 0, `${lower} < ${higher}`);
      assert.ok(compareVersions(version(higher), version(lower)) > 0, `${higher} > ${lower}`);
    }
  }
});

x('build metadata, a leading v and missing parts make no difference', () => {
  for (const same of ['1.2.0', 'v1.2', '1.2.0+build.5', ' 1.2.0.0 ']) {
    assert.is(compareVersions(version(same), version('1.2')), 0, same);
  }
});

x('invalid versions are not guessed at', () => {
  for (const text of [
    '',
    'latest',
    '1.',
    '.1',
    '1..2',
    '1.2.3.4.5',
    '-1',
    '1.2-',
    '1,2',
    '１.0',
    '1e3',
    '9'.repeat(16),
  ]) {
    assert.is(parseVersion(text), null, JSON.stringify(text));
  }
});

const inside: Record<string, string[]> = {
  '>=2.1.0 <3.0.0': ['2.1', '2.1.0', '2.9.9.9', '2.1.1-beta', '3.0.0-beta'],
  '>= 2.1.0   < 3': ['2.1.0', '2.99'],
  '^2.1': ['2.1.0', '2.9', '2.1.0.5'],
  '^0.3.1': ['0.3.1', '0.3.9'],
  '^0.0.3': ['0.0.3'],
  '~2.1.3': ['2.1.3', '2.1.9'],
  '2': ['2', '2.0.0.1', '2.99.1'],
  '2.1.x': ['2.1.0', '2.1.77'],
  '2.1.3.x': ['2.1.3', '2.1.3.456'],
  '2.1.3': ['2.1.3', 'v2.1.3+5'],
  '*': ['0', '0.0.0-a', '99'],
  '>2.1': ['2.2.0', '3'],
  '>2.1.0': ['2.1.0.1', '2.1.1'],
  '<=2.1': ['2.1.9', '2.0', '0'],
  '<2.1': ['2.0.9'],
  '=1.0.0-alpha.x': ['1.0.0-alpha.x', '1.0.0-alpha.x+5'],
  '>1.0.0-alpha.x': ['1.0.0', '1.0.0-beta'],
  '<1.0.0-beta.X': ['1.0.0-alpha', '1.0.0-beta.1'],
  '^1.0.0-x.x.1': ['1.0.0-x.x.1', '1.9'],
  '1+b.1.2': ['1', '1.5.0'],
  '1.2.3+x.x': ['1.2.3'],
  '<1.0.0 || >=2.0.0-rc.1': ['0.9', '2.0.0-rc.1', '2.0.0', '5'],
};

const outside: Record<string, string[]> = {
  '>=2.1.0 <3.0.0': ['2.0.9', '2.1.0-rc.1', '3.0.0', '3.0.1'],
  '>= 2.1.0   < 3': ['3.0.0', '3.0.0-beta', '2.0'],
  '^2.1': ['2.0.9', '3.0.0', '3.0.0-alpha'],
  '^0.3.1': ['0.4.0', '0.3.0', '0.4.0-a'],
  '^0.0.3': ['0.0.4', '0.0.2'],
  '~2.1.3': ['2.2.0', '2.1.2'],
  '2': ['1.9', '3', '3.0.0-0'],
  '2.1.x': ['2.2', '2.0.9'],
  '2.1.3.x': ['2.1.4', '2.1.2.9'],
  '2.1.3': ['2.1.3.1', '2.1.3-a', '2.1.4'],
  '>2.1': ['2.1.0', '2.1.9', '2.1.9.9'],
  '>2.1.0': ['2.1.0'],
  '<=2.1': ['2.2.0', '2.2.0-a'],
  '<2.1': ['2.1.0', '2.1.0-a'],
  '=1.0.0-alpha.x': ['1.0.0', '1.0.0-rc.1', '1.0.0-alpha'],
  '>1.0.0-alpha.x': ['1.0.0-alpha.x', '1.0.0-alpha'],
  '<1.0.0-beta.X': ['1.0.0', '1.0.0-beta.x'],
  '^1.0.0-x.x.1': ['1.0.0-x.x.0', '2.0.0-a'],
  '1+b.1.2': ['2', '0.9'],
  '1.2.3+x.x': ['1.2.4', '1.2'],
  '<1.0.0 || >=2.0.0-rc.1': ['1.0.0', '1.5', '2.0.0-beta'],
};

x('ranges include what they should', () => {
  for (const [range, versions] of Object.entries(inside)) {
    for (const text of versions) assert.is(parseVersionRange(range)?.(version(text)), true, `${text} in ${range}`);
  }
});

x('ranges exclude what they should', () => {
  for (const [range, versions] of Object.entries(outside)) {
    for (const text of versions) assert.is(parseVersionRange(range)?.(version(text)), false, `${text} not in ${range}`);
  }
});

x('invalid ranges are refused', () => {
  for (const text of ['', ' ', '>=', 'abc', '1.x.2', '1.x-alpha', '*+5', '>=1.0 <', '1.0 ||', '>>1', '1 - 2', '=>1']) {
    assert.is(parseVersionRange(text), null, JSON.stringify(text));
  }
});

x.run();

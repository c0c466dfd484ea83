import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namedDartFrame } from '../../src/symbols/dart/named-frame.js';
import { parseDartTrace } from '../../src/symbols/dart/parse-dart-trace.js';
import { parseClassMapping } from '../../src/symbols/retrace/class-mapping.js';
import { parseTraceLine } from '../../src/symbols/retrace/trace-line.js';
import { isScriptName, scriptPath } from '../../src/symbols/source-map/script-path.js';
import { parseAppleReport } from '../../src/symbols/symbolication/apple-report.js';
import { scriptFrameOf } from '../../src/symbols/symbolication/script-trace.js';
import { parseTombstone } from '../../src/symbols/symbolication/tombstone.js';
import { isSystemImage } from '../../src/symbols/system-image.js';
import { ownMilliseconds } from '../support/processor-time.js';

/** A single line takes less time than the CPU time counter can measure. */
const GOES = 20;
const LENGTH = 16_000;

const lines = suite('hostile lines');

/** Readers of callers' texts, each with a typical line and the fragments it examines closely. */
const READERS: { name: string; read: (line: string) => unknown; usual: string; pieces: string[]; heads: string[] }[] = [
  {
    name: 'Java',
    read: parseTraceLine,
    usual: '\tat com.shop.Cart.pay(Cart.java:12) ~[app.jar:1.0]',
    heads: ['', ')', 'at a.b(', 'at a.b(S:1) ~[', 'Caused by: '],
    pieces: [
      ' ',
      '\u2003',
      ')',
      ') ',
      ')~[',
      ') ~[',
      '~[',
      ']',
      'at ',
      'at a.b(',
      'at a.b(S:1)',
      '.1',
      ': ',
      '" ',
      'a: ',
      ':1',
    ],
  },
  {
    name: 'Apple',
    read: (line) =>
      parseAppleReport(
        `Thread 0 Crashed:\n${line}\nThread 1:\n${line}\nBinary Images:\n${line}\n0x1 - 0x2 a <${'0'.repeat(32)}> /a\n`,
      ),
    usual: '0   Game   \t0x0000000102afb3d0 main + 88 (main.swift:3)',
    heads: [
      '',
      '0 ',
      '0 a',
      '0 a 0x1 ',
      '0 a 0x1 b + 1 (',
      '0x1 ',
      '0x1 - 0x2 ',
      '0x1 - 0x2 a',
      '(0x1',
      'Exception Type: ',
    ],
    pieces: [
      ' ',
      '\t',
      'a ',
      ' 0x1',
      ' + 1',
      ' + 1 (',
      ' + 1 ()',
      ' <0',
      ' - ',
      ' pc: 0x1',
      ' arm64',
      ` <${'0'.repeat(32)}`,
    ],
  },
  {
    name: 'scripts',
    read: scriptFrameOf,
    usual: '    at pay (https://shop.example/app.js:1:4711)',
    heads: [
      '',
      'at ',
      'at a (',
      'at a [as ',
      'at a (eval at ',
      'at a (eval at b (c:1:1)',
      'a@',
      'a@b line 1',
      'at address at ',
    ],
    pieces: [
      ' ',
      ' [as ',
      ' [as ]',
      'a [as b] ',
      ':1',
      ':1:1',
      ' (',
      '(a:1:1)',
      ', a)',
      ')',
      ' line 1 > eval',
      'async ',
      ' (address at ',
      ' (a)',
      '*',
      ',',
      ' {',
    ],
  },
  {
    name: 'tombstones',
    read: parseTombstone,
    usual: '    #00 pc 0000000000012345  /data/app/libgame.so (step(int)+12) (BuildId: 4f2a4f2a4f2a4f2a)',
    heads: ['', '#00 pc ', '#00 pc 1 ', '#00 pc 1 a ('],
    pieces: [' ', '#', '#1 ', '#00 pc ', '+1', ' (offset 0x1', ' (BuildId: 0', 'signal 1 ('],
  },
  {
    name: 'Dart',
    read: parseDartTrace,
    usual: '    #00 abs 0000007f12345678 virt 0000000000012345 _kDartIsolateSnapshotInstructions+0x2a',
    heads: ['', '#00 ', '#00 abs ', '#00 abs 1 virt ', 'build_id: '],
    pieces: [' ', '#', '#1', '#1 ', 'abs ', 'virt ', 'os: a ', 'build_id', "build_id: '"],
  },
  {
    name: 'Dart with names',
    read: namedDartFrame,
    usual: '#0      Cart.add (package:shop/cart.dart:12:7)',
    heads: ['', '#00 ', '#0 a', '#0 a (', '#0 a (package:', '#0 a (package:b:1'],
    pieces: [' ', '#', '#1 ', '#1 a', ' (', ' (package:', ' (dart:a', ':1', ')', 'a'],
  },
  {
    name: 'mappings',
    read: (line) => parseClassMapping(`a -> b:\n${line}`, 2),
    usual: '    4:9:void com.shop.Cart.pay(int,java.lang.String):12:17 -> a',
    heads: ['', ' ', ' 1:', ' 1:1:', ' 1:1:a', ' a ', ' a b', ' a b(', ' a b()', ' a b():1', ' a b():1:1 ->'],
    pieces: [' ', '\t', 'a ', 'a', '1', '1:', ':1', '(', ')', ' (', '()', '->', ' -> ', 'a->', ','],
  },
  {
    name: 'paths of scripts',
    read: (line) => [scriptPath(line), isScriptName(line)],
    usual: 'https://shop.example/static/c/index.js?v=3',
    heads: ['', 'https://a/', '/a', 'https:'],
    pieces: ['?', '#', '?\n', '/', '/..', '//', ' ', '.js', '%41', '\\'],
  },
  {
    name: 'paths of libraries',
    read: (line) => isSystemImage(line, 'native'),
    usual: '/private/var/containers/Bundle/Application/1/Game.app/Game',
    heads: ['', '/'],
    pieces: ['/CoreSimulator/', '/RuntimeRoot', '/System', '/usr/lib', '/'],
  },
];

for (const { name, read, usual, pieces, heads } of READERS) {
  lines(`${name}: no line takes much longer than others of its length`, async () => {
    const took = (line: string) =>
      ownMilliseconds(() => {
        for (let go = 0; go < GOES; go++) read(line);
      }, 1);
    const long = Math.max(await took(usual.repeat(LENGTH / usual.length)), await took('x'.repeat(LENGTH)), 10);

    for (const head of heads) {
      for (const piece of pieces) {
        for (const tail of ['x', ')', ']', '/x', '\r', ' (a.js:1:1)']) {
          const line = head + piece.repeat((LENGTH - head.length) / piece.length) + tail;
          let spent = await took(line);
          // A chance delay does not repeat.
          for (let again = 0; spent >= 12 * long && again < 3; again += 1) spent = await took(line);
          // Quadratic time would take some thousand times as long.
          assert.ok(spent < 12 * long, `${JSON.stringify([head, piece, tail])}: ${spent} ms, ${long} ms for others`);
        }
      }
    }
  });
}

lines('a Java frame ends where R8 says it does, with and without an archive', () => {
  // Not linear, but short.
  const end = /\)\p{Z}*(?:~\[[^\]]*\])?\s*$/u;
  const letters = [')', '~', '[', ']', ' ', '\t', '\u2028', 'x'];
  let texts = [''];
  let frames = 0;
  for (let length = 1; length <= 5; length++) {
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    for (const text of texts) {
      const line = `at a.b(${text}`;
      const found = parseTraceLine(line)?.frame?.lineNumber[1] ?? null;
      assert.is(found, end.exec(line)?.index ?? null, JSON.stringify(line));
      if (found !== null) frames += 1;
    }
  }
  assert.ok(frames > 1_000);
});

lines('names and places are cut where they end', () => {
  const named = (text: string) => scriptFrameOf(`    at ${text} (a.js:1:1)`)?.function;
  assert.equal(['Cart.run [as go]', 'a [as b] [as c]', 'a [as b', '[as b]', 'a[1]'].map(named), [
    'Cart.run',
    'a',
    'a [as b',
    '[as b]',
    'a[1]',
  ]);
  const path = (file: string) => scriptPath(file).segments.join('/');
  assert.equal(['/a?b/c.js?d#e', 'https://x/a?b/c.js', 'https://x/a#b\nc', '/c#/a.js'].map(path), [
    'a?b/c.js',
    'a',
    'a',
    'c#/a.js',
  ]);
  assert.equal(
    [
      '/a/CoreSimulator/System/b',
      '/a/CoreSimulator/x/usr/lib/b',
      '/a/RuntimeRoot/CoreSimulator/System/b',
      '/a/System/CoreSimulator/b',
      '/a/CoreSimulator/mySystem/b',
    ].map((file) => isSystemImage(file, 'ios')),
    [true, true, true, false, false],
  );
});

lines.run();

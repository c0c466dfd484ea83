import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { newPrefixedId } from '../../../src/kernel/ids.js';
import { buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';
import { makeZip } from '../../symbols/support/make-zip.js';

interface Outcome {
  usable: number;
  failed: number;
  skipped: number;
  files: { path: string; kind: string | null; match_key: string; status: string; reason: string | null }[];
}

const odd = appSuite<{ first: World; world: World; folder: string; env: Record<string, string> }>('odd build output', {
  worker: true,
});
folderPerTest(odd);

odd.before(async (context) => {
  context.first = await buildWorld(context.test);
});
odd.before.each(async (context) => {
  context.world = await buildProject(context.first);
  context.env = { QUARTERDECK_URL: context.test.baseUrl, QUARTERDECK_TOKEN: context.world.owner.token };
});

const built = async (name: string) => gunzipSync(await readFile(`test/fixtures/symbols/native/built/${name}.gz`));
const json = (text: string) => JSON.parse(text) as Outcome;

/** A fat file made of thin ones, with 64-bit offsets. */
function fat64(thin: readonly Buffer[]): Buffer {
  const table = Buffer.alloc(8 + thin.length * 32);
  table.writeUInt32BE(0xcafebabf, 0);
  table.writeUInt32BE(thin.length, 4);
  let offset = 4096;
  const body = thin.map((bytes, index) => {
    const at = 8 + index * 32;
    table.writeInt32BE(bytes.readInt32LE(4), at);
    table.writeBigUInt64BE(BigInt(offset), at + 8);
    table.writeBigUInt64BE(BigInt(bytes.length), at + 16);
    const padded = Buffer.concat([bytes, Buffer.alloc(4096 - (bytes.length % 4096))]);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([table, Buffer.alloc(4096 - table.length), ...body]);
}

const BREAKPAD = `MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 libpay.so
FILE 0 pay.c
FUNC 1000 20 0 pay
1000 20 7 0
`;

odd('packed files, fat files and Breakpad’s become usable', async ({ world, folder, env }) => {
  const files: Record<string, Uint8Array | string> = {
    'libgame.so.gz': gzipSync(await built('arm64.so')),
    'libold.so.zst': zstdCompressSync(await built('gcc-usual.so')),
    'mapping.txt.gz': await readFile('test/fixtures/symbols/java/built/mapping.txt.gz'),
    App: fat64([await built('dwarf5.dwarf')]),
    'libpay.so.sym': BREAKPAD,
    'sdk.aar': makeZip([{ name: 'jni/arm64-v8a/libthumb.so', data: await built('thumb.so') }]),
    // What a web server sends instead of a missing neighboring file.
    'app.js.map': SMALL_MAP,
    'app.js.map.gz': gzipSync(SMALL_MAP),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  const place = ['--project', world.projectId, '--release', '1', '--json'];
  const ended = await symbolsCommand({ env }, 'upload', ...place, folder, join(folder, 'sdk.aar'));
  assert.is(ended.code, 0, ended.out);
  const { files: sent } = json(ended.results);
  assert.equal(sent.map(({ path, kind, status }) => `${path.slice(folder.length + 1)} ${kind} ${status}`).sort(), [
    'App ios_dsym usable',
    'app.js.map js_sourcemap usable',
    'libgame.so.gz android_ndk usable',
    'libold.so.zst android_ndk usable',
    'libpay.so.sym android_ndk usable',
    'mapping.txt.gz android_mapping usable',
    'sdk.aar:/jni/arm64-v8a/libthumb.so android_ndk usable',
  ]);
});

const start = (bytes: string, encoding: BufferEncoding = 'latin1') =>
  Buffer.concat([Buffer.from(bytes, encoding), Buffer.alloc(600)]);

/** WebAssembly encodings: bytes preceded by their count, and a custom section. */
const leb128 = (value: number) => Buffer.from(value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
const vector = (bytes: string | Buffer) => Buffer.concat([leb128(bytes.length), Buffer.from(bytes)]);
const section = (name: string, content: Buffer) =>
  Buffer.concat([Buffer.from([0]), vector(Buffer.concat([vector(name), content]))]);

/** The message for each file, by name. */
const TOLD: [name: string, bytes: Buffer, says: RegExp][] = [
  ['app.pdb', start('Microsoft C/C++ MSF 7.00\r\n\x1aDS'), /Windows PDB, not supported: convert it with dump_syms/],
  ['net.pdb', start('BSJB'), /\.NET portable PDB, not supported/],
  ['app.exe', start('MZ'), /Windows program, its symbols are in its PDB/],
  [
    'core',
    start(`7f454c460201${'00'.repeat(10)}04003e00`, 'hex'),
    /core dump, x86_64: upload the program and its libraries$/,
  ],
  ['libs390x.so', start('7f454c460202', 'hex'), /big-endian ELF file, not supported$/],
  ['app.wasm', start('0061736d01000000', 'hex'), /WebAssembly module: build it with a source map and upload the map$/],
  [
    'shop.wasm',
    Buffer.concat([
      Buffer.from('0061736d01000000', 'hex'),
      // What a linker records about a module, in separate sections.
      section('.debug_info', Buffer.alloc(700)),
      section('build_id', vector(Buffer.from('c0ffee', 'hex'))),
      section('external_debug_info', vector('shop.debug.wasm')),
      section('sourceMappingURL', vector('shop.wasm.map')),
    ]),
    /WebAssembly module: upload its source map, shop\.wasm\.map; its DWARF in shop\.debug\.wasm is not supported$/,
  ],
  ['main.jsbundle', start('c61fbc03c103191f', 'hex'), /Hermes bytecode, not supported: upload the source map/],
  ['libgame.a', start('!<arch>\n'), /static library: upload the program or library it is linked into/],
  ['Cart.class', start('cafebabe00000041', 'hex'), /Java class: upload the mapping\.txt/],
  ['syms.tar', Buffer.concat([Buffer.alloc(257), start('ustar')]), /tar archive: unpack it and pass the folder/],
  ['syms.tgz', gzipSync(Buffer.concat([Buffer.alloc(257), start('ustar')])), /tar archive: unpack it/],
  ['syms.xz', start('fd377a585a00', 'hex'), /xz file: unpack it/],
  ['syms.7z', start('377abcaf271c', 'hex'), /7z archive: unpack it/],
  [
    'shop.jar',
    makeZip([{ name: 'Cart.class', data: start('cafebabe00000041', 'hex') }]),
    /archive that contains none of: source maps/,
  ],
];

odd('unusable files are reported with what to do, and PDBs wherever they are found', async ({ folder }) => {
  for (const [name, bytes] of TOLD) await writeFile(join(folder, name), bytes);
  const ended = await symbolsCommand({}, 'upload', '--dry-run', ...TOLD.map(([name]) => join(folder, name)));
  assert.equal([ended.code, ended.results], [1, ''], ended.messages);
  for (const [name, , says] of TOLD)
    assert.match(ended.messages, new RegExp(`/${name}: left out, .*${says.source}`, 'm'));
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  await writeFile(join(folder, 'broken.zip'), 'PK\u0003\u0004 and nothing more');
  const all = await symbolsCommand({}, 'upload', '--dry-run', folder);
  assert.is(all.code, 1, 'the broken archive failed');
  const named = await symbolsCommand({}, 'check', '--offline', join(folder, 'shop.wasm'));
  assert.match(named.results, /shop\.wasm \(c0ffee\): WebAssembly module/);
  assert.match(all.messages, /app\.pdb: left out, Windows PDB/);
  assert.not.match(all.messages, /app\.wasm/);
  assert.match(all.results, /^failed +.*broken\.zip: is not a readable archive/m);
  assert.match(all.results, /^found +.*app\.js\.map/m, 'and the others are sent');
  const corrupt = join(folder, 'half.so.gz');
  await writeFile(corrupt, gzipSync(await built('arm64.so')).subarray(0, 300));
  const half = await symbolsCommand({}, 'upload', '--dry-run', corrupt);
  assert.is(half.code, 2);
  assert.match(half.messages, /half\.so\.gz cannot be decompressed: .*Decompress it yourself/);
});

odd('a check lists libraries without a build id, and takes the shortest', async ({ folder }) => {
  const library = await built('dwarf5.so');
  const note = library.indexOf('GNU\0');
  const [unnamed, short] = [Buffer.from(library), Buffer.from(library)];
  unnamed.write('ABC', note);
  short.writeUInt32LE(1, note - 8);
  await writeFile(join(folder, 'libshort.so'), short);
  await writeFile(join(folder, 'libunnamed.so'), unnamed);
  const { code, results } = await symbolsCommand({}, 'check', '--offline', '--json', folder);
  assert.is(code, 0);
  const { files } = JSON.parse(results) as { files: { keys: string[]; what: string }[] };
  assert.equal(
    files.map(({ keys, what }) => [keys, what.split(', ').slice(3)]),
    [
      [[library.toString('hex', note + 4, note + 5)], []],
      [[], ['without a build id: link it with -Wl,--build-id']],
    ],
  );
});

odd('archives that are damaged or escape their folder fail and say where', async ({ folder }) => {
  const library = await built('arm64.so');
  const damaged = makeZip([{ name: 'lib/arm64.so', data: library }]);
  const middle = damaged.length >> 1;
  damaged.writeUInt8(damaged.readUInt8(middle) ^ 1, middle);
  const given: [name: string, bytes: Buffer, says: RegExp][] = [
    ['damaged.zip', damaged, /damaged\.zip(?:: lib\/arm64\.so is damaged| is not a readable archive)/],
    [
      'out.zip',
      makeZip([{ name: '../../out.so', data: library }]),
      /out\.zip is not a readable archive .*\.\.\/\.\.\/out\.so/,
    ],
    ['root.zip', makeZip([{ name: '/out.so', data: library }]), /root\.zip is not a readable archive .*\/out\.so/],
    ['cut.zip', makeZip([{ name: 'arm64.so', data: library }]).subarray(0, -9), /cut\.zip is not a readable archive/],
  ];
  for (const [name, bytes, says] of given) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const { code, messages } = await symbolsCommand({}, 'upload', '--dry-run', path);
    assert.is(code, 2, name);
    assert.match(messages, says);
  }
});

odd('the server reports the same for files sent as the wrong kind', async ({ world, folder, env }) => {
  const given: [name: string, bytes: Buffer, says: RegExp][] = [
    [
      'app.pdb',
      start('Microsoft C/C++ MSF 7.00'),
      /neither ELF nor Mach-O, but a PDB, which is not supported: convert it with dump_syms/,
    ],
    ['libgame.so.gz', gzipSync(await built('arm64.so')), /but compressed with gzip: upload its content/],
    [
      'app.wasm',
      start('0061736d01000000', 'hex'),
      /but a WebAssembly module, whose DWARF is not supported: upload its source map/,
    ],
  ];
  for (const [name, bytes] of given) await writeFile(join(folder, name), bytes);
  const paths = given.map(([name]) => join(folder, name));
  const place = ['--project', world.projectId, '--kind', 'android_ndk', '--json'];
  const { code, results } = await symbolsCommand({ env }, 'upload', ...place, ...paths);
  assert.is(code, 1);
  for (const [index, { status, reason }] of json(results).files.entries()) {
    assert.is(status, 'failed');
    assert.match(reason ?? '', given[index]?.[2] ?? /never/);
  }
});

odd('scripts are sent when named or requested, and do not replace their maps', async ({ world, folder, env }) => {
  const script = join(folder, 'lone.js');
  await writeFile(script, 'go();\n');
  await writeFile(join(folder, 'app.js'), 'go();\n');
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  const found = async (...args: string[]) =>
    (await symbolsCommand({}, 'upload', '--dry-run', '--json', ...args)).results;
  const names = (text: string) => json(text).files.map(({ path }) => path.slice(folder.length + 1));
  assert.equal(names(await found(folder)), ['app.js.map']);
  assert.equal(names(await found('--scripts', folder)).sort(), ['app.js', 'app.js.map', 'lone.js']);
  const place = ['--project', world.projectId];
  const sent = await symbolsCommand({ env }, 'upload', ...place, script);
  assert.is(sent.code, 0, sent.out);
  assert.match(sent.results, /^usable +.*lone\.js .*\(lone\.js\).*: This is the script itself/);
  assert.match((await symbolsCommand({ env }, 'list', ...place)).results, / {2}code +js_sourcemap .* lone\.js$/m);
  const checked = await symbolsCommand({ env }, 'check', ...place, script);
  assert.is(checked.code, 1);
  assert.match(checked.results, /^missing/);
});

odd('links are followed once, even in cycles, and long names are accepted', async ({ world, folder, env }) => {
  const real = join(folder, 'real');
  await mkdir(join(real, 'deep'), { recursive: true });
  const name = `${'é'.repeat(120)}.js`;
  await writeFile(join(real, 'deep', name), 'go();\n');
  await writeFile(join(real, 'deep', `${name}.map`), SMALL_MAP);
  await writeFile(join(real, 'a "quoted"\nname.js.map'), SMALL_MAP);
  const dist = join(folder, 'dist');
  await mkdir(dist);
  await symlink(real, join(dist, 'current'));
  await symlink(dist, join(real, 'deep/up'));
  await symlink(join(real, 'deep'), join(dist, 'again'));
  await symlink('/nowhere/at/all', join(dist, 'gone.js.map'));
  const injected = await symbolsCommand({}, 'inject', real);
  assert.is(injected.code, 0, injected.out);
  const ended = await symbolsCommand({ env }, 'upload', '--project', world.projectId, '--json', dist);
  assert.is(ended.code, 0, ended.out);
  const { files, usable } = json(ended.results);
  assert.is(usable, 2, ended.out);
  assert.equal(files.map(({ match_key: key }) => key).sort(), ['a "quoted"\nname.js', name].sort());
  const again = await symbolsCommand({ env }, 'inject', dist);
  assert.match(again.messages, /^0 injected, 1 unchanged/, 'as upload sees them');
  const checked = await symbolsCommand({ env }, 'check', '--project', world.projectId, '--json', dist, dist);
  assert.is(checked.code, 0, checked.out);
  assert.is(json(checked.results).files.length, 1);
  const [map = ''] = files.flatMap(({ path }) => (path.endsWith(`${name}.map`) ? path : []));
  const twice = await symbolsCommand({ env }, 'upload', '--dry-run', '--match-key', 'one.js', map, map);
  assert.is(twice.code, 0, 'the same file, named twice');
});

odd('an empty folder is reported, as text and as JSON', async ({ folder, env }) => {
  const ended = await symbolsCommand({ env }, 'upload', '--json', folder);
  assert.is(ended.code, 1);
  assert.equal(json(ended.results).files, []);
  assert.match(ended.messages, /^No symbol files found in .* Looked by content for: source maps/m);
  const injected = await symbolsCommand({ env }, 'inject', folder);
  assert.is(injected.code, 1);
  assert.match(injected.messages, /^0 injected/);
  const checked = await symbolsCommand({ env }, 'check', '--json', folder);
  assert.is(checked.code, 1);
  assert.equal(json(checked.results).files, []);
});

odd('an unavailable server is retried, then reported', async ({ folder }) => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"storage_unavailable"}');
  });
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  const url = await openLocally(server);
  const ended = await symbolsCommand({ env: { QUARTERDECK_URL: url, QUARTERDECK_TOKEN: 'x' } }, 'upload', folder);
  server.close();
  assert.is(ended.code, 2, ended.out);
  assert.is(asked, 3);
  assert.match(ended.messages, /Error: .*\(503 storage_unavailable\)/);
});

odd('an interrupted command leaves nothing behind', async ({ folder }) => {
  const [build, scratch] = [join(folder, 'build'), join(folder, 'tmp')];
  await mkdir(build);
  await mkdir(scratch);
  await writeFile(join(build, 'maps.zip'), makeZip([{ name: 'app.js.map', data: Buffer.from(SMALL_MAP) }]));
  // This server never answers.
  const server = createServer();
  const asked = new Promise((resolve) => server.once('request', resolve));
  const url = await openLocally(server);
  const { pathname } = new URL('../../../src/cli/main.js', import.meta.url);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const child = spawn(process.execPath, [pathname, 'symbols', 'upload', build], {
      env: {
        TMPDIR: scratch,
        QUARTERDECK_URL: url,
        QUARTERDECK_TOKEN: 'x',
      },
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await asked;
    await until('it has unpacked', async () =>
      (await readdir(scratch, { recursive: true })).some((name) => name.endsWith('app.js.map')),
    );
    child.kill(signal);
    assert.is(await ended, code);
    assert.equal(await readdir(scratch), []);
  }
  server.closeAllConnections();
  server.close();
});

/** Stores additional source maps next to one in a project, as if they had been sent. */
async function copyArtifact(test: TestApp, projectId: string, maps: [script: string, text: string][]): Promise<void> {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  await test.app.pool.query(
    `insert into symbol_artifact select copy.*
       from (select * from symbol_artifact where project_id = $1 limit 1) one
      cross join unnest($2::text[], $3::text[], $4::text[]) as map(id, script, hash)
      cross join lateral jsonb_populate_record(one::symbol_artifact,
        jsonb_build_object('id', map.id, 'match_key', script, 'place', script, 'sha256', hash)) copy`,
    [
      projectId,
      maps.map(() => newPrefixedId('sym')),
      maps.map(([script]) => script),
      maps.map(([, text]) => hash(text)),
    ],
  );
}

odd('more maps than fit on a list page are sent in one run, and not again', async (context) => {
  const { world, folder, env } = context;
  const mapOf = (at: number) => SMALL_MAP.replace('"names":[]', `"names":["n${at}"]`);
  const write = (at: number) => writeFile(join(folder, `${at}.js.map`), mapOf(at));
  for (let at = 0; at < 6; at += 1) await write(at);
  const args = ['upload', '--project', world.projectId, '--json', '--wait', '0', folder];
  const first = await symbolsCommand({ env }, ...args);
  assert.is(first.code, 0, first.messages);
  assert.is(json(first.results).files.length, 6);
  const numbers = Array.from({ length: 114 }, (_, n) => n + 6);
  await Promise.all(numbers.map(write));
  await copyArtifact(
    context.test,
    world.projectId,
    numbers.map((at) => [`${at}.js`, mapOf(at)]),
  );
  for (const at of [500, 501]) await write(at);
  const again = json((await symbolsCommand({ env }, ...args)).results);
  assert.equal([again.skipped, again.files.length], [120, 122]);
  const all = json((await symbolsCommand({ env }, ...args)).results);
  assert.equal([all.skipped, all.files.length], [122, 122]);
});

odd.run();

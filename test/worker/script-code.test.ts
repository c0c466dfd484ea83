import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const scripts = appSuite<{ first: World; world: World }>('the code of scripts around frames', { worker: true });

scripts.before(async (context) => {
  context.first = await buildWorld(context.test);
});
scripts.before.each(async (context) => {
  context.world = await buildProject(context.first);
});

const CALL = 'throw new RangeError("no price")';
const BEFORE = 'a=1;'.repeat(300);
const SCRIPT = `/*! licence */\n${BEFORE}${CALL};${'b=2;'.repeat(300)}\n//# sourceMappingURL=shop.js.map\n`;
const PLACE = { line: 2, column: BEFORE.length + 1 };
const DEBUG_ID = '85314830-023f-4cf1-a267-535f4e37bb17';

interface Artifact {
  id: string;
  status: string;
  detail: string | null;
  failureReason: string | null;
  indexedAt: string | null;
}

/** Uploads a file as a source map, and waits until it is read. */
async function stored({ owner, projectId }: World, name: string, bytes: string | Uint8Array): Promise<Artifact> {
  const fields = { kind: 'js_sourcemap', project_id: projectId };
  const { id } = artifactOf(await uploadSymbols(owner.client, { name, bytes }, fields));
  return until('the file is read', async () => {
    const { symbolArtifacts } = await owner.client.graphql<{ symbolArtifacts: { nodes: Artifact[] } }>(
      'query($p: ID) { symbolArtifacts(projectId: $p) { nodes { id status detail failureReason indexedAt } } }',
      { p: projectId },
    );
    const found = symbolArtifacts.nodes.find((one) => one.id === id);
    return found && (found.indexedAt !== null || found.status === 'failed') && found;
  });
}

interface Frame {
  file: string;
  line: number;
  column: number;
  status: string;
  context: {
    before: string[];
    line: string;
    after: string[];
    lineNumber: number;
    column: number;
    isGenerated: boolean;
  } | null;
}

async function report({ live }: World, file: string, images: object[] = []): Promise<string> {
  const id = randomUUID();
  const frames = [{ function: 't', file, ...PLACE }];
  const event = { event_id: id, platform: 'javascript', exception: { type: 'E', frames }, debug_images: images };
  assert.is((await live.post('/api/catch/events', event)).status, 200);
  return id;
}

/** The frame of an event, once it has been read and is as wanted. */
function frameOf(world: World, id: string, isWanted: (frame: Frame) => boolean = () => true): Promise<Frame> {
  return until('the event is read', async () => {
    const { crashEvent } = await world.owner.client.graphql<{
      crashEvent: { symbolication: string; frames: Frame[] };
    }>(
      `query($p: ID!, $id: ID!) { crashEvent(projectId: $p, id: $id) { symbolication frames {
         file line column status context { before line after lineNumber column isGenerated } } } }`,
      { p: world.projectId, id },
    );
    const [frame] = crashEvent.frames;
    return crashEvent.symbolication !== 'pending' && frame !== undefined && isWanted(frame) && frame;
  });
}

function isTheCode({ context }: Frame): void {
  assert.ok(context);
  assert.is(context.isGenerated, true);
  assert.is(context.lineNumber, PLACE.line);
  assert.equal(context.before, ['/*! licence */']);
  assert.ok(context.line.length < 250, 'a window of the long line');
  assert.is(context.line.slice(context.column, context.column + CALL.length), CALL);
}

scripts('a script without a map shows its code around the position, which stays as reported', async ({ world }) => {
  const id = await report(world, 'https://cdn.example.com/assets/shop.js');
  assert.is((await frameOf(world, id)).context, null);
  assert.is((await stored(world, 'shop.js', SCRIPT)).detail, 'code');
  const { context, ...frame } = await frameOf(world, id, ({ context: shown }) => shown !== null);
  isTheCode({ context, ...frame });
  const file = 'https://cdn.example.com/assets/shop.js';
  assert.equal(frame, { file, ...PLACE, status: 'missing_symbol' });
  const { missingSymbols } = await world.owner.client.graphql<{ missingSymbols: { key: string }[] }>(
    'query($p: ID!) { missingSymbols(projectId: $p) { key } }',
    { p: world.projectId },
  );
  assert.equal(missingSymbols, [{ key: 'shop.js' }], 'its map is still wanted');
});

scripts('with a map that lacks the source, names come from the map and code from the script', async ({ world }) => {
  const map = { version: 3, sources: ['price.ts'], names: [], mappings: ';AAKA' };
  await stored(world, 'shop.js', SCRIPT);
  await stored(world, 'shop.js.map', JSON.stringify(map));
  const read = await frameOf(world, await report(world, 'shop.js'));
  isTheCode(read);
  assert.equal([read.file, read.line, read.status], ['price.ts', 6, 'symbolicated']);
  await stored(world, 'shop.js.map', JSON.stringify({ ...map, sourcesContent: ['1\n2\n3\n4\n5\n6\n7\n'] }));
  const { context } = await frameOf(world, await report(world, 'shop.js'));
  assert.equal([context?.line, context?.lineNumber, context?.isGenerated], ['6', 6, false]);
});

scripts('a script is found by its debug id before any path, and not in another folder', async ({ world }) => {
  await stored(world, 'a.js', `\uFEFF${SCRIPT}//# debugId=${DEBUG_ID}\n`);
  const address = 'https://cdn.example.com/deep/4711.js?v=2';
  const images = [{ type: 'sourcemap', debug_id: DEBUG_ID, code_file: address }];
  isTheCode(await frameOf(world, await report(world, address, images)));
  assert.is((await frameOf(world, await report(world, address))).context, null);
});

/** A WebAssembly module with one function, `pay`, that traps at byte 32. */
const MODULE = '0061736d01000000010401600000030201000707010370617900000a05010300000b';

scripts('WebAssembly frames are read with the module’s map, as its linker writes it', async ({ world }) => {
  const program = `try { new WebAssembly.Instance(new WebAssembly.Module(Buffer.from('${MODULE}', 'hex'))).exports.pay() }
    catch (error) { process.stdout.write(error.stack.split('\\n').slice(0, 2).join('\\n')) }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  assert.match(stdout, /:wasm-function\[0\]:0x20/, stderr);
  await stored(
    world,
    'shop.wasm.map',
    JSON.stringify({
      version: 3,
      sources: ['pay.cc'],
      sourcesContent: ['1\n2\n3\n4\n  trap();\n'],
      names: [],
      mappings: 'gCAIE',
    }),
  );
  const id = randomUUID();
  const stack = stdout.replace(/wasm:\/\/wasm\/[0-9a-f]+/, 'https://cdn.example.com/shop.wasm');
  const sent = await world.live.post('/api/catch/events', {
    event_id: id,
    platform: 'javascript',
    raw_stacktrace: stack,
  });
  assert.is(sent.status, 200);
  const { file, line, column, status, context } = await frameOf(world, id);
  assert.equal([file, line, column, status, context?.line], ['pay.cc', 5, 3, 'symbolicated', '  trap();']);
});

scripts('what is neither a map nor a script is refused with the reason', async ({ world }) => {
  const refused: [name: string, bytes: string | Uint8Array, says: RegExp][] = [
    [
      'main.jsbundle',
      Buffer.from('c61fbc03c103191f00000000', 'hex'),
      /^Hermes bytecode is not supported\. Upload the source map/,
    ],
    ['photo.js', Buffer.from('89504e470d0a1a0aff', 'hex'), /^The file is neither a source map nor a script/],
    ['zeros.js', Buffer.alloc(64), /^The file is neither a source map nor a script/],
    ['gone.js', '<!doctype html><title>Not found</title>', /^The file is an HTML page/],
    ['shop.js.map', SCRIPT, /^The file is not JSON\.$/],
  ];
  for (const [name, bytes, says] of refused) {
    const { status, failureReason } = await stored(world, name, bytes);
    assert.is(status, 'failed', name);
    assert.match(failureReason ?? '', says);
  }
});

scripts.run();

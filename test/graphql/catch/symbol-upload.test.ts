import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { sendUpload } from '../../contract/operation-documents.js';
import { Client, type RestAnswer } from '../../support/client.js';
import { buildMember } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';

const upload = worldSuite('mutation uploadSymbolArtifact', {
  settings: { MAX_SYMBOL_FILE_BYTES: '100000', MAX_BODY_BYTES: '400000' },
});

const MUTATION = `mutation($file: Upload!, $kind: String!, $release: String) {
  uploadSymbolArtifact(file: $file, kind: $kind, release: $release) { id status kind release matchKey sizeBytes originalName }
}`;

interface Uploaded {
  data?: { uploadSymbolArtifact: Record<string, unknown> } | null;
  errors?: { extensions: { code: string; fields?: { path: string }[] } }[];
}

async function send(
  client: Client,
  bytes: Uint8Array,
  variables: object,
  headers: Record<string, string> = { 'apollo-require-preflight': '1' },
): Promise<RestAnswer> {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: MUTATION, variables: { file: null, ...variables } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new Blob([bytes as unknown as string]), 'app.js.map');
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return client.send('POST', '/graphql', body, {
    'content-type': encoded.headers.get('content-type') ?? '',
    ...headers,
  });
}

const fieldsOf = (answer: RestAnswer): string[] | undefined =>
  (answer.body as Uploaded).errors?.[0]?.extensions.fields?.map(({ path }) => path);
const codeOf = (answer: RestAnswer): string | undefined => (answer.body as Uploaded).errors?.[0]?.extensions.code;

upload('stores a file on the same path as REST does', async ({ world }) => {
  const variables = { kind: 'js_sourcemap', release: '1.0' };
  const answer = await send(world.owner.client, Buffer.from(SMALL_MAP), variables);
  const artifact = (answer.body as Uploaded).data?.uploadSymbolArtifact;
  assert.is(answer.status, 200, answer.text);
  assert.is(artifact?.status, 'ready');
  assert.is(artifact?.matchKey, 'app.js');
  assert.is(Number(artifact?.sizeBytes), SMALL_MAP.length);
  const again = await send(world.owner.client, Buffer.from(SMALL_MAP), variables);
  assert.is((again.body as Uploaded).data?.uploadSymbolArtifact.id, artifact?.id);
});

upload('is refused with GraphQL errors', async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const { client } = world.owner;
  const small = Buffer.from(SMALL_MAP);
  const map = { kind: 'js_sourcemap' };
  assert.is(codeOf(await send(new Client(test.baseUrl), small, map)), 'UNAUTHENTICATED');
  assert.is(codeOf(await send(viewer.client, small, map)), 'PERMISSION_DENIED');
  assert.is(codeOf(await send(client, small, { kind: 'nothing' })), 'INVALID_KIND');
  assert.is(codeOf(await send(client, Buffer.alloc(0), map)), 'MISSING_FILE');
  assert.is(codeOf(await send(client, Buffer.alloc(100_001), map)), 'FILE_TOO_LARGE');
  assert.is((await send(client, Buffer.alloc(500_000), map)).status, 413);
  assert.is((await send(client, small, map, {})).status, 400, 'without the preflight header');
});

upload(
  'refuses a form that ends before or in the middle of its file, and keeps nothing of it',
  async ({ test, world }) => {
    const operations = JSON.stringify({ query: MUTATION, variables: { file: null, kind: 'js_sourcemap' } });
    const head = [
      ['operations', operations],
      ['map', '{"0":["variables.file"]}'],
    ].map(([name, value]) => `--A\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    const file = '--A\r\nContent-Disposition: form-data; name="0"; filename="a.map"\r\n\r\n';
    const cases: [body: string, code: string][] = [
      [`${head.join('')}${file}`, 'INCOMPLETE_FILE'],
      [`${head.join('')}${file}${SMALL_MAP}`, 'INCOMPLETE_FILE'],
      [`${head.join('')}${file}${'x'.repeat(80_000)}`, 'INCOMPLETE_FILE'],
      [`${head.join('')}--A--\r\n`, 'MISSING_FILE'],
      [`${head.join('')}--A`, 'MISSING_FILE'],
    ];
    for (const [body, code] of cases) {
      const answer = await world.owner.client.send('POST', '/graphql', body, {
        'content-type': 'multipart/form-data; boundary=A',
        'apollo-require-preflight': '1',
      });
      assert.is(codeOf(answer), code, `${body.slice(-80)}: ${answer.status} ${answer.text}`);
      assert.is(answer.status, 400, answer.text);
    }
    const { rows } = await test.app.pool.query("select 1 from symbol_artifact where original_name = 'a.map'");
    assert.equal(rows, []);
  },
);

/** The failure of a form with small files under the given names. */
async function refusalOf(client: Client, operations: object, map: object, names: readonly string[]) {
  const file = '; filename="one.map"';
  const parts = [
    ['operations', '', JSON.stringify(operations)],
    ['map', '', JSON.stringify(map)],
    ...names.map((name) => [name, file, '{"version":3,"sources":["one"],"names":[],"mappings":"AAAA"}']),
  ].map(([name, more, text]) => `--A\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`);
  const { status, body } = await client.send('POST', '/graphql', `${parts.join('')}--A--\r\n`, {
    'content-type': 'multipart/form-data; boundary=A',
    'apollo-require-preflight': '1',
  });
  const { errors } = body as { errors: { message: string; extensions: { code: string; fields?: object[] } }[] };
  return errors.map(({ message, extensions: { code, fields } }) => ({ status, code, message, fields }));
}

upload('takes one file in a request, for one argument', async ({ test, world }) => {
  const { client } = world.owner;
  const single = { query: MUTATION, variables: { file: null, kind: 'js_sourcemap' } };
  const query = `mutation($file: Upload!, $other: Upload!) {
    a: uploadSymbolArtifact(file: $file, kind: "js_sourcemap") { id }
    b: uploadSymbolArtifact(file: $other, kind: "js_sourcemap") { id }
  }`;
  const double = { query, variables: { file: null, other: null } };
  const message = 'A request carries one file, for one argument. Send each file in a request of its own.';
  const announced = await refusalOf(client, double, { 0: ['variables.file'], 1: ['variables.other'] }, ['0', '1']);
  assert.equal(announced, [{ status: 400, code: 'TOO_MANY_FILES', message, fields: undefined }]);
  const fields = [{ path: 'file', message }];
  const tooMany = [{ status: 400, code: 'TOO_MANY_FILES', message, fields }];
  const mapped = { 0: ['variables.file'] };
  assert.equal(await refusalOf(client, single, mapped, ['0', 'unmapped']), tooMany);
  assert.equal(await refusalOf(client, single, mapped, ['unmapped', '0']), tooMany);
  const { rows } = await test.app.pool.query("select 1 from symbol_artifact where original_name = 'one.map'");
  assert.equal(rows, []);
  assert.equal(await refusalOf(client, double, { 0: ['variables.file', 'variables.other'] }, ['0']), tooMany);
});

upload('takes a file only for a variable of type Upload, and nothing else for one', async ({ world }) => {
  const { client } = world.owner;
  const item = (schema: string) =>
    `createConfigItem(input: { projectId: "${world.projectId}", key: "filed", type: json, value: "1", jsonSchema: ${schema} }) { id }`;
  const places: [query: string, n: unknown, path: string, told: string][] = [
    ['mutation($n: String!) { createProject(input: { name: $n }) { id } }', null, 'n', '"$n" has type String!'],
    [`mutation($n: JSON) { ${item('$n')} }`, null, 'n', '"$n" has type JSON'],
    [`mutation($n: JSON) { ${item('$n')} }`, { deep: [null] }, 'n.deep.0', '"$n" has type JSON'],
    [
      'query($n: [ID!]) { projects(filter: { id: { in: $n } }) { nodes { id } } }',
      [null],
      'n.0',
      '"$n" has type [ID!]',
    ],
    [MUTATION, null, 'other', 'the operation declares no "$other"'],
  ];
  for (const [query, n, path, told] of places) {
    const message = `Map the file to a variable of type Upload: ${told}.`;
    const fields = [{ path: path.split('.')[0], message }];
    const refused = await refusalOf(client, { query, variables: { n } }, { 0: [`variables.${path}`] }, ['0']);
    assert.equal(refused, [{ status: 400, code: 'BAD_USER_INPUT', message, fields }], path);
  }
  const text = await client.post('/graphql', { query: MUTATION, variables: { file: 'a.map', kind: 'js_sourcemap' } });
  const message = 'Send the file in a multipart request whose map names this variable.';
  assert.equal((text.body as Uploaded).errors?.[0]?.extensions.fields, [{ path: 'file', message }]);
});

upload('accepts a file in parts, and knows the stored ones when the upload restarts', async ({ test, world }) => {
  const { client } = world.owner;
  const bytes = Buffer.from(SMALL_MAP);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const input = {
    ...{ projectId: world.projectId, symbolKind: 'js_sourcemap', release: 'parts' },
    ...{ fileName: 'parts.js.map', sizeBytes: bytes.length, sha256 },
  };
  const begin = async (asked: object = input) =>
    client.post('/graphql', {
      query: `mutation($input: BeginSymbolUploadInput!) {
        beginSymbolUpload(input: $input) { upload { id partBytes parts { offset sha256 } } artifact { id } }
      }`,
      variables: { input: asked },
    });
  const begun = async () => {
    const { body } = await begin();
    return (
      body as {
        data: {
          beginSymbolUpload: { upload: { id: string; parts: object[] } | null; artifact: { id: string } | null };
        };
      }
    ).data.beginSymbolUpload;
  };
  const id = (await begun()).upload?.id ?? '';
  const query = `mutation($part: Upload!, $id: ID!, $sha256: String!, $offset: BigInt!) {
    uploadSymbolPart(part: $part, uploadId: $id, sha256: $sha256, offset: $offset) { parts { offset } }
  }`;
  const part = (variables: object) => sendUpload(client, query, { id, sha256, offset: 0, ...variables }, 'part');
  const misplaced = await part({ offset: 5 });
  assert.equal([codeOf(misplaced), fieldsOf(misplaced)], ['INVALID_PART', ['offset']]);
  const changed = await part({ sha256: '0'.repeat(64) });
  assert.equal([codeOf(changed), fieldsOf(changed)], ['CHECKSUM_MISMATCH', ['file']]);
  assert.is(codeOf(await begin({ ...input, sizeBytes: -1 })), 'INVALID_INPUT');
  const whole = {
    query: 'mutation($id: ID!) { completeSymbolUpload(input: { id: $id }) { id status } }',
    variables: { id },
  };
  assert.is(codeOf(await client.post('/graphql', whole)), 'PARTS_MISSING');
  assert.is(codeOf(await part({})), undefined);
  assert.equal((await begun()).upload, { id, partBytes: 8 * 1024 * 1024, parts: [{ offset: 0, sha256 }] });
  const viewer = await buildMember(test, world, 'viewer');
  assert.is(codeOf(await viewer.client.post('/graphql', whole)), 'PERMISSION_DENIED');
  const { body } = await client.post('/graphql', whole);
  const made = (body as { data: { completeSymbolUpload: { id: string; status: string } } }).data.completeSymbolUpload;
  assert.is(made.status, 'ready');
  assert.is((await begun()).artifact?.id, made.id);
});

upload('takes whole numbers of any size without a line on standard error', async ({ world }) => {
  const warned: unknown[] = [];
  const { warn } = console;
  console.warn = (...words) => warned.push(words);
  try {
    const begin = (sizeBytes: unknown, literal: string) =>
      world.owner.client.post('/graphql', {
        query: `mutation($size: BigInt!, $p: ID!) {
          given: beginSymbolUpload(input: { sizeBytes: $size, projectId: $p, fileName: "a.map", symbolKind: js_sourcemap, sha256: "${'a'.repeat(64)}" }) { upload { sizeBytes } }
          written: beginSymbolUpload(input: { sizeBytes: ${literal}, projectId: $p, fileName: "a.map", symbolKind: js_sourcemap, sha256: "${'b'.repeat(64)}" }) { upload { sizeBytes } } }`,
        variables: { size: sizeBytes, p: world.projectId },
      });
    const uploads = [{ upload: { sizeBytes: 70_000 } }, { upload: { sizeBytes: 80_000 } }];
    for (const [given, written] of [
      [70_000, '80000'],
      ['70000', '"80000"'],
    ] as const)
      assert.equal(Object.values(((await begin(given, written)).body as { data: object }).data), uploads);
    for (const [given, written] of [
      [1.5, '1'],
      [true, '1'],
      [1, '1.5'],
      [1, 'yes'],
    ] as const)
      assert.match((await begin(given, written)).text, /BigInt cannot represent value: (?:1\.5|true|yes)/);
    assert.match((await begin(1, '9007199254740993')).text, /FILE_TOO_LARGE|INVALID_INPUT/);
  } finally {
    console.warn = warn;
  }
  assert.equal(warned, []);
});

upload('handles an invalid multipart request', async ({ world }) => {
  const answer = await world.owner.client.send('POST', '/graphql', '--A--\r\n', {
    'content-type': 'multipart/form-data; boundary=A',
    'apollo-require-preflight': '1',
  });
  assert.is(answer.status, 400);
  assert.ok((answer.body as Uploaded).errors);
});

upload.run();

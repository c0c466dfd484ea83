import { gzipSync } from 'node:zlib';
import type { AttackOrder, AttackRequest } from './attack.js';
import type { Attacker } from './attacker.js';
import { HOSTILE_PAIRS } from './hostile-pairs.js';

/** A way for one tenant to try to stop all others. */
export interface Attack {
  readonly name: string;
  order(attacker: Attacker): AttackOrder;
}

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

const bearer = (token: string) => ({ authorization: `Bearer ${token}`, ...JSON_TYPE });

function graphql(token: string | null, query: string, variables: object = {}): AttackRequest {
  const headers = token === null ? JSON_TYPE : bearer(token);
  return { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query, variables }) };
}

const CREATE = 'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }';
const UPDATE = 'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }';
const PREVIEW =
  'query($item: ID!, $version: ID!) { previewRollback(itemId: $item, versionId: $version) { __typename } }';
const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';

/** Routes that read JSON and require a public key, or none. */
const KEYED_ROUTES = [
  '/api/v1/switch/halt-webhook',
  '/api/v1/batch',
  '/api/v1/track',
  '/api/v1/people',
  '/api/v1/alias',
  '/api/pulse/responses',
  '/api/pulse/partial',
  '/api/catch/events',
  '/api/catch/profiles',
  '/ofrep/v1/evaluate/flags',
  '/ofrep/v1/evaluate/flags/a',
];

/** This many mebibytes of blanks, gzipped, in base64. */
export function bomb(mebibytes: number): string {
  const member = gzipSync(Buffer.alloc(10 * MEBIBYTE, ' '));
  return Buffer.concat([gzipSync('{"a":'), ...Array.from({ length: mebibytes / 10 }, () => member)]).toString('base64');
}

/** A body of crash events of the maximum size, with many values and much text. */
function largeCrashes(): string {
  const extra = `[${Array.from({ length: 900 }, (_, n) => `{"k${n}":[1,{}]}`).join(',')}]`;
  const events = Array.from({ length: 200 }, (_, n) => {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    return `{"event_id":"${id}","message":"m","tags":{"t":"${'x'.repeat(130_000)}"},"extra":{"e":${extra}}}`;
  });
  return gzipSync(`{"events":[${events.join(',')}]}`).toString('base64');
}

/** A person with as many properties as a profile has room for, and as much in them. */
function largeProfile(person: number): string {
  const members = Array.from(
    { length: 9_000 },
    (_, n) => `"key${n}":[${Array.from({ length: 50 }, (_, m) => n * 50 + m)}]`,
  );
  return gzipSync(`{"distinct_id":"large${person}","properties":{${members.join(',')}}}`).toString('base64');
}

const gzip = (key: string) => ({ ...JSON_TYPE, 'x-api-key': key, 'content-encoding': 'gzip' });

function nestedTypes(depth: number): string {
  return depth === 0 ? 'name' : `name fields { type { ${nestedTypes(depth - 1)} } }`;
}

const INTROSPECTION = `{ ${Array.from({ length: 50 }, (_, n) => `a${n}: __schema { types { ${nestedTypes(4)} } }`).join(' ')} }`;

function overlapping(): string {
  const names = Array.from({ length: 300 }, (_, n) => `f${n}`);
  const fragments = names.map((name) => `fragment ${name} on Query { a: __typename }`).join(' ');
  return `{ ${names.map((name) => `...${name}`).join(' ')} } ${fragments}`;
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'hostile schemas in createConfigItem',
    order: ({ token, projectId }) => ({
      requests: Object.values(HOSTILE_PAIRS).map(({ schema, value }) =>
        graphql(token, CREATE, {
          input: { projectId, key: 'hostile.{{n}}', type: 'json', value: JSON.stringify(value), jsonSchema: schema },
        }),
      ),
      perSecond: 10,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'hostile schemas in updateConfigItem',
    order: ({ token, plainItem }) => ({
      requests: Object.values(HOSTILE_PAIRS).map(({ schema, value }) =>
        graphql(token, UPDATE, { input: { id: plainItem, value: JSON.stringify(value), jsonSchema: schema } }),
      ),
      perSecond: 10,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'previewRollback by a viewer, of versions stored before values were bounded',
    order: ({ viewer, stored }) => ({
      requests: stored.map(({ item, version }) => graphql(viewer, PREVIEW, { item, version })),
      perSecond: 10,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'REST rollback to such versions',
    order: ({ token, stored }) => ({
      requests: stored.map(({ item, version }) => ({
        method: 'POST',
        path: `/api/v1/config/items/${item}/rollback`,
        headers: bearer(token),
        body: JSON.stringify({ version_id: version }),
      })),
      perSecond: 10,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'bodies of 300 MB in 300 kB of gzip, with a public key',
    order: ({ key }) => ({
      requests: KEYED_ROUTES.map((path) => ({ method: 'POST', path, headers: gzip(key), blob: 0 })),
      blobs: [bomb(300)],
      perSecond: 6,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'crash events of 30 MiB, with a public key',
    order: ({ key }) => ({
      requests: [{ method: 'POST', path: '/api/catch/events', headers: gzip(key), blob: 0 }],
      blobs: [largeCrashes()],
      perSecond: 6,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'small changes of large profiles, with a public key',
    order: ({ key }) => ({
      requests: [
        ...[0, 1, 2, 3].map((blob) => ({ method: 'POST', path: '/api/v1/people', headers: gzip(key), blob })),
        ...Array.from({ length: 40 }, (_, n) => ({
          method: 'POST',
          path: '/api/v1/people',
          headers: { ...JSON_TYPE, 'x-api-key': key },
          body: `{"distinct_id":"large${n % 4}","properties":{"n":"{{n}}"}}`,
        })),
      ],
      blobs: [0, 1, 2, 3].map(largeProfile),
      perSecond: 30,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'the same to GraphQL and to rollback',
    order: ({ token, plainItem }) => ({
      requests: ['/graphql', `/api/v1/config/items/${plainItem}/rollback`].map((path) => ({
        method: 'POST',
        path,
        headers: { ...bearer(token), 'content-encoding': 'gzip' },
        blob: 0,
      })),
      blobs: [bomb(300)],
      perSecond: 6,
      mostUnderWay: 20,
    }),
  },
  {
    name: 'introspection 50 times over, by a viewer and by nobody',
    order: ({ viewer }) => ({
      requests: [graphql(viewer, INTROSPECTION), graphql(null, INTROSPECTION)],
      perSecond: 10,
      mostUnderWay: 20,
    }),
  },
  {
    name: '300 overlapping fragments',
    order: ({ viewer }) => ({
      requests: [graphql(viewer, overlapping()), graphql(null, overlapping())],
      perSecond: 20,
      mostUnderWay: 20,
    }),
  },
  {
    name: '40 sign-ins a second, each with an e-mail of its own',
    order: () => ({
      requests: [graphql(null, SIGN_IN, { input: { email: '{{n}}@example.com', password: 'not the password' } })],
      perSecond: 40,
      mostUnderWay: 40,
    }),
  },
  {
    name: 'bodies that stall',
    order: ({ key, token }) => ({
      requests: [
        ...KEYED_ROUTES.map((path) => stalling(path, { ...JSON_TYPE, 'x-api-key': key })),
        stalling('/graphql', bearer(token)),
      ],
      perSecond: 20,
      mostUnderWay: 300,
    }),
  },
];

const stalling = (path: string, headers: Record<string, string>): AttackRequest => ({
  method: 'POST',
  path,
  headers,
  body: `{"a":"${'x'.repeat(60_000)}`,
  stalls: true,
});

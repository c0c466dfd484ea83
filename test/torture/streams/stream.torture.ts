import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { EventStream } from '../../support/event-stream.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';

export const name = 'stream';
export const usualCount = 10_000;

const CHANGES_A_TURN = 10;

interface Tenant {
  key: string;
  stream: EventStream;
  /** Makes a change that affects clients' answers. */
  change(): Promise<void>;
}

/** Two organizations make changes at random, in turns; each hears of its own and never of the other's. */
export async function run({ count, startServer, createDatabase }: TortureContext): Promise<TortureRow[]> {
  const server = await startServer({ env: { DATABASE_URL: await createDatabase() } });
  const { owner, tokens } = await server.firstRun();
  const first = new Client(server.url).withToken(tokens.owner);
  const { createOrganization } = await first.graphql<{ createOrganization: { id: string } }>(
    'mutation($i: CreateOrganizationInput!) { createOrganization(input: $i) { id } }',
    { i: { name: 'Another' } },
  );
  const { signIn } = await first.graphql<{ signIn: { token: string } }>(
    'mutation($i: SignInInput!) { signIn(input: $i) { token } }',
    { i: { email: owner.email, password: owner.password, organizationId: createOrganization.id } },
  );
  const tenants = [await tenantOf(server.url, first), await tenantOf(server.url, first.withToken(signIn.token))];
  let foreign = 0;
  let missed = 0;
  for (let made = 0; made < count; made += CHANGES_A_TURN) {
    const [busy, quiet] = Math.random() < 0.5 ? tenants : [...tenants].reverse();
    if (!busy || !quiet) throw new Error('there are two tenants');
    const before = quiet.stream.events.length;
    for (let n = 0; n < CHANGES_A_TURN; n += 1) await busy.change();
    const position = await positionOf(server.url, busy.key);
    const isTold = () => busy.stream.events.at(-1)?.id.startsWith(position);
    const told = await until('the last notice', isTold).catch(() => false);
    if (!told) missed += 1;
    foreign += quiet.stream.events.length - before;
  }
  const notices = tenants.reduce((sum, { stream }) => sum + stream.events.length - 1, 0);
  for (const { stream } of tenants) stream.close();
  return [
    {
      promise: 'a stream tells of all changes of its own project, and of no other',
      seen: `${count} changes of two organizations in turns, ${notices} notices, ${foreign} of the other, ${missed} turns missed`,
      held: foreign === 0 && missed === 0 && notices > 0,
    },
  ];
}

async function tenantOf(url: string, owner: Client): Promise<Tenant> {
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($i: CreateProjectInput!) { createProject(input: $i) { id } }',
    { i: { name: 'Streams' } },
  );
  const { createApiKey } = await owner.graphql<{ createApiKey: { secret: string } }>(
    'mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }',
    { i: { projectId: createProject.id, environment: 'live' } },
  );
  const { createConfigItem } = await owner.graphql<{ createConfigItem: { id: string } }>(
    'mutation($i: CreateConfigItemInput!) { createConfigItem(input: $i) { id } }',
    { i: { projectId: createProject.id, environment: 'live', key: 'value', type: 'int', value: '0' } },
  );
  const { createFlag } = await owner.graphql<{ createFlag: { id: string; key: string } }>(
    'mutation($i: CreateFlagInput!) { createFlag(input: $i) { id key } }',
    { i: { projectId: createProject.id, environment: 'live', key: 'flag', rules: [{ variant: 'on' }] } },
  );
  const key = createApiKey.secret;
  const stream = await EventStream.open(`${url}/api/v1/stream`, { 'x-api-key': key });
  await stream.next('ready');
  let value = 0;
  let halted = false;
  return {
    key,
    stream,
    async change() {
      if (Math.random() < 0.5) {
        value += 1;
        await owner.graphql('mutation($i: UpdateConfigItemInput!) { updateConfigItem(input: $i) { id } }', {
          i: { id: createConfigItem.id, value: String(value) },
        });
        return;
      }
      const answer = halted
        ? await owner.post(`/api/v1/switch/flags/${createFlag.id}/resume`, {})
        : await owner.withKey(key).post('/api/switch/halt-webhook', { flag_key: createFlag.key, reason: 'torture' });
      assert.is(answer.status, 200, answer.text);
      halted = !halted;
    },
  };
}

/**
 * The position in an answer (without surveys) by which everything must have been reported. A stream's cache may lag
 * behind it.
 */
async function positionOf(url: string, key: string): Promise<string> {
  const { headers } = await new Client(url).withKey(key).get('/api/v1/handshake');
  const [, position] = /last_event_id=(.+)$/.exec(headers.get('quarterdeck-stream') ?? '') ?? [];
  if (!position) throw new Error('the handshake names no stream');
  return position;
}

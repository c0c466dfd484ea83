import { randomUUID } from 'node:crypto';
import { Client, type GraphqlError, type RestAnswer } from '../support/client.js';

/**
 * Where writers write: the origin, the project, the owner's token, and enough keys that none reaches its rate limit.
 */
export interface WriteTarget {
  url: string;
  projectId: string;
  surveyId: string;
  token: string;
  keys: readonly string[];
}

/** The outcome of one write: its status (0 without an answer), and what must be stored if it was acknowledged. */
export interface Attempt {
  status: number;
  acknowledged: string | null;
}

export type Lane = () => Promise<Attempt>;

interface WriteKind {
  /** Creates what one lane writes to, and returns its write function. */
  open(target: WriteTarget): Promise<Lane>;
  /** SQL for what is stored completely, as `id`. */
  stored: string;
}

const EVENTS_IN_BATCH = 5;

/** The kinds of writes whose acknowledgement is a promise. */
export const WRITE_KINDS = {
  batch: {
    open: async (target) => async () => {
      const id = `torture-${randomUUID()}`;
      const track = { type: 'track', payload: { event_name: 'torture', distinct_id: id } };
      const people = { type: 'people', payload: { distinct_id: id, properties: { sent: true } } };
      const operations = [people, ...Array.from({ length: EVENTS_IN_BATCH }, () => track)];
      return judge(await statusOf(keyed(target).post('/api/v1/batch', { operations })), 200, id);
    },
    stored: `select e.distinct_id as id from event e join person_id p on p.distinct_id = e.distinct_id and p.project_id = e.project_id
      where e.event_name = 'torture' group by 1 having count(*) = ${EVENTS_IN_BATCH}`,
  },
  'config change': {
    open: async (target) => {
      const input = {
        projectId: target.projectId,
        environment: 'live',
        key: `torture.${randomUUID()}`,
        type: 'string',
      };
      const made = await owner(target).graphql<{ createConfigItem: { id: string } }>(
        'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }',
        { input: { ...input, value: 'first' } },
      );
      return async () => {
        const value = randomUUID();
        const query = 'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }';
        const variables = { input: { id: made.createConfigItem.id, value } };
        return judge(await statusOf(owner(target).post('/graphql', { query, variables })), 200, value);
      };
    },
    stored: `select trim(both '"' from v.value_snapshot) as id from config_version v join event_log e on e.object_id = v.item_id::text
      and e.kind = 'config.item.changed' and e.data ->> 'version' = v.version_number::text`,
  },
  'survey response': {
    open: async (target) => async () => {
      const answer = await keyed(target).post('/api/pulse/responses', {
        survey_id: target.surveyId,
        answers: { nps: 9 },
        respondent: { external_id: randomUUID() },
      });
      return judge(answer.status, 201, (answer.body as { id?: string } | null)?.id ?? '');
    },
    stored: `select r.id from survey_response r join event_log e on e.object_id = r.id and e.kind = 'pulse.response.submitted'`,
  },
  halt: {
    open: async (target) => {
      const key = `torture.${randomUUID()}`;
      const made = await owner(target).graphql<{ createFlag: { id: string } }>(
        'mutation($input: CreateFlagInput!) { createFlag(input: $input) { id } }',
        { input: { projectId: target.projectId, environment: 'live', key, rules: [{ variant: 'on' }] } },
      );
      return async () => {
        const reason = randomUUID();
        const answer = await keyed(target).post('/api/switch/halt-webhook', { flag_key: key, reason });
        // If a halt was stored but its answer was lost, the next one is a repetition and shows the earlier reason.
        const stored = (answer.body as { flag?: { halt_reason: string } } | null)?.flag?.halt_reason ?? '';
        const query = 'mutation($input: ResumeFlagInput!) { resumeFlag(input: $input) { id } }';
        const variables = { input: { flagId: made.createFlag.id } };
        const resumed = await statusOf(owner(target).post('/graphql', { query, variables }));
        return resumed >= 500 ? { status: resumed, acknowledged: null } : judge(answer.status, 200, stored);
      };
    },
    stored: `select v.note as id from flag_version v join event_log e on e.object_id = v.flag_id and e.kind = 'switch.flag.halted'
      and e.data ->> 'reason' = v.note where v.action = 'halted'`,
  },
} as const satisfies Record<string, WriteKind>;

let turn = 0;

function keyed(target: WriteTarget): Client {
  return new Client(target.url).withKey(target.keys[turn++ % target.keys.length] as string);
}

const owner = (target: WriteTarget): Client => new Client(target.url).withToken(target.token);

function judge(status: number, good: number, id: string): Attempt {
  return { status, acknowledged: status === good ? id : null };
}

/** The status of an answer; GraphQL reports in the body what REST reports in the status. */
export async function statusOf(answer: Promise<RestAnswer>): Promise<number> {
  const { status, body } = await answer;
  const [error] = (body as { errors?: GraphqlError[] } | null)?.errors ?? [];
  if (!error?.extensions || status >= 500) return status;
  const { code } = error.extensions;
  return code === 'UNAVAILABLE' ? 503 : code === 'INTERNAL_SERVER_ERROR' ? 500 : 400;
}

import { cpuMicrosOfTree } from '../../harness/cpu.js';
import { type LoadCount, type LoadRequest, sendLoad } from '../../harness/load.js';
import type { Client } from '../../support/client.js';

export const ITEMS = 20;
const CHANGES = 2;
const CONNECTIONS = 16;

/** The list that the others are compared with. */
export const ITEM_LIST = `query Items($projectId: ID!) {
  configItems(projectId: $projectId, environment: live, first: ${ITEMS}) {
    nodes {
      id key type defaultValue description isArchived currentVersion createdAt updatedAt
      rule { cohort value }
      versions(first: 3) { nodes { id versionNumber action valueSnapshot ruleSnapshot actorEmail note createdAt } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** A server, and the one GraphQL request that it receives. */
export interface Side {
  url: string;
  pid: number;
  requests: LoadRequest[];
}

/** Creates a project with the items, each changed a few times. */
export async function makeItems(owner: Client): Promise<string> {
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { name: 'Bench' } },
  );
  for (let index = 0; index < ITEMS; index += 1) {
    const rule = index % 2 === 0 ? { rule: { cohort: 'beta', value: '7' } } : {};
    const { createConfigItem } = await owner.graphql<{ createConfigItem: { id: string } }>(
      'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }',
      {
        input: {
          projectId: createProject.id,
          environment: 'live',
          key: `key.${index}`,
          type: 'int',
          value: '1',
          ...rule,
        },
      },
    );
    for (let change = 0; change < CHANGES; change += 1) {
      await owner.graphql('mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }', {
        input: { id: createConfigItem.id, value: String(change + 2), note: `change ${change}` },
      });
    }
  }
  return createProject.id;
}

export function sideOf(
  { url, pid }: { url: string; pid: number },
  body: object,
  headers: Record<string, string>,
): Side {
  const request = {
    path: '/graphql',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  return { url, pid, requests: [request] };
}

/** Counts answers with this status over the given number of seconds, with the CPU time that each cost the server. */
export async function measure(
  { url, pid, requests }: Side,
  seconds: number,
  status = 200,
): Promise<LoadCount & { serverMicros: number }> {
  const before = cpuMicrosOfTree(pid);
  const count = await sendLoad({
    url,
    requests,
    connections: CONNECTIONS,
    seconds,
    warmUpSeconds: 0,
    expectedStatuses: [status],
  });
  return { ...count, serverMicros: (cpuMicrosOfTree(pid) - before) / count.requests };
}

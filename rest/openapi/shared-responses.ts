import { STATUS_CODES } from 'node:http';

interface Answering {
  readonly tags: readonly string[];
  readonly responses: Record<string, object>;
}

/**
 * Replaces error responses shared by several operations with references: the most frequent one of each status, then the most frequent
 * remaining one of each tag. This keeps the document small and gives generated clients one type for them. Returns them by name, for
 * `components.responses`.
 */
export function shareResponses(operations: readonly object[]): Record<string, object> {
  const shared: Record<string, object> = {};
  const all = operations as readonly Answering[];
  share(all, '', shared);
  for (const [tag, tagged] of Map.groupBy(all, ({ tags }) => tags[0] ?? '')) share(tagged, tag, shared);
  return shared;
}

function share(operations: readonly Answering[], prefix: string, shared: Record<string, object>): void {
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
  for (const status of [...statuses].filter((one) => Number(one) >= 400).sort()) {
    const answering = operations.filter(({ responses }) => responses[status] && !('$ref' in responses[status]));
    const alike = [...Map.groupBy(answering, ({ responses }) => JSON.stringify(responses[status])).values()];
    const most = alike.sort((one, other) => other.length - one.length)[0] ?? [];
    const response = most[0]?.responses[status];
    const ofOneTag = prefix === '' && new Set(most.map(({ tags }) => tags[0])).size < 2;
    if (most.length < 2 || ofOneTag || response === undefined) continue;
    const name = `${prefix}${STATUS_CODES[status]?.replaceAll(/[^A-Za-z]/g, '')}`;
    shared[name] = response;
    for (const { responses } of most) responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

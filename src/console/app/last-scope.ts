import type { Environment } from '#documents';

const KEY = 'quarterdeck.scope';

interface LastScope {
  projectId: string;
  environment: Environment;
}

/** The project and environment that this browser last showed; contains no secret. */
export function lastScope(): LastScope | null {
  const [projectId, environment] = (localStorage.getItem(KEY) ?? '').split(' ');
  return projectId && (environment === 'live' || environment === 'test') ? { projectId, environment } : null;
}

export function keepScope({ projectId, environment }: LastScope): void {
  localStorage.setItem(KEY, `${projectId} ${environment}`);
}

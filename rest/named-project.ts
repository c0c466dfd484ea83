import type { RestRequest } from './route.js';

/** The project that a management call names in the header `x-project-id` or the parameter `project_id`. */
export function namedProject(headers: RestRequest['headers'], query: URLSearchParams): string | null {
  const header = headers['x-project-id'];
  return (typeof header === 'string' && header !== '' ? header : null) ?? (query.get('project_id') || null);
}

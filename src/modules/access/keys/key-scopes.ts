/** What a project key may be used for; all of them unless it is made with fewer. */
export const KEY_SCOPES = ['ingest', 'decide', 'survey', 'halt'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

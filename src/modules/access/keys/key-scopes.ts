/** What a project key may be used for. */
export const KEY_SCOPES = ['ingest', 'decide', 'survey', 'halt', 'definitions'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a key is good for that is made without saying so. Definitions tell all rules and whom they name, so they are asked for. */
export const USUAL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => scope !== 'definitions');

export const KEY_SCOPES = ['ingest', 'decide', 'survey', 'halt', 'definitions'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The default scopes of a new key. Definitions reveal all rules and the ids they name, so their scope must be requested. */
export const USUAL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => scope !== 'definitions');

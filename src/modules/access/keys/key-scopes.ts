export const KEY_SCOPES = ['ingest', 'decide', 'survey', 'halt', 'definitions'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes of a key that is made without naming any. Definitions reveal all rules and whom they name, so their scope has to be asked for. */
export const USUAL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => scope !== 'definitions');

/** docs/rest.md, Flags: the path as specified, then with its version. */
export const HALT_PATHS: readonly [string, string] = ['/api/switch/halt-webhook', '/api/v1/switch/halt-webhook'];

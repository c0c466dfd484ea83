/** Where the command sends things, and as whom. */
export interface CliSettings {
  url: string;
  token: string;
  /** For how long nothing need move on a connection. */
  patienceMs: number;
}

const PATIENCE_MS = 120_000;

/** Something the person at the keyboard has to change; shown without a stack. */
export class UsageError extends Error {}

/** The variables of the process; the command reads no others. */
export const environmentVariables: Readonly<Record<string, string | undefined>> = process.env;

/** Reads `QUARTERDECK_URL` and `QUARTERDECK_TOKEN`; options win over them, both over the config file. Throws UsageError. */
export function readSettings(
  options: { url?: string | undefined; token?: string | undefined },
  config: { url?: string | undefined } = {},
): CliSettings {
  const url = (options.url ?? environmentVariables.QUARTERDECK_URL ?? config.url)?.trim();
  // Secrets that are read from files end with a line break.
  const token = (options.token ?? environmentVariables.QUARTERDECK_TOKEN)?.trim();
  if (!url) throw new UsageError('Set QUARTERDECK_URL to the address of the server, or give --url.');
  if (!token) throw new UsageError('Set QUARTERDECK_TOKEN to an API token with the role editor, or give --token.');
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(
      'QUARTERDECK_TOKEN has characters in it that no token has, such as a blank or a line break; copy it anew.',
    );
  if (/^sk_(live|test|deploy)_/.test(token))
    throw new UsageError(
      `QUARTERDECK_TOKEN is a ${token.startsWith('sk_deploy_') ? 'deploy token' : 'project key'}; set it to an API token, as the console makes them for a role.`,
    );
  return { url: addressOf(url), token, patienceMs: PATIENCE_MS };
}

/** The address of a server, below which its paths are. Throws UsageError. */
function addressOf(text: string): string {
  const refused = (what: string) => new UsageError(`QUARTERDECK_URL ${what}`);
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text))
    throw refused(`is no address that begins with http:// or https://: ${text}`);
  const { username, password, search, hash, origin, pathname } = new URL(text);
  if (username !== '' || password !== '')
    throw refused('has a name or a password in it; the token alone says who asks, so leave them out.');
  if (search !== '' || hash !== '') throw refused(`is the address of the server alone, without ? and #: ${text}`);
  return origin + pathname.replace(/\/+$/, '');
}

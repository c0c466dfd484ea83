/** The server to talk to, and the token to use. */
export interface CliSettings {
  url: string;
  token: string;
  /** How long a connection may be idle. */
  patienceMs: number;
}

/** What most subcommands can be told. */
export interface CommonOptions {
  environment?: string | undefined;
  project?: string | undefined;
  json: boolean;
}

const PATIENCE_MS = 120_000;

/** A mistake the user can correct; shown without a stack. */
export class UsageError extends Error {}

/** The only place the command reads environment variables from. */
export const environmentVariables: Readonly<Record<string, string | undefined>> = process.env;

/**
 * Reads `QUARTERDECK_URL` and `QUARTERDECK_TOKEN`. Options override them, and both override the config file. Throws
 * UsageError.
 */
export function readSettings(
  options: { url?: string | undefined; token?: string | undefined },
  config: { url?: string | undefined },
): CliSettings {
  const url = (options.url ?? environmentVariables.QUARTERDECK_URL ?? config.url)?.trim();
  // Secrets read from files end with a line break.
  const token = (options.token ?? environmentVariables.QUARTERDECK_TOKEN)?.trim();
  if (!url) throw new UsageError('Set QUARTERDECK_URL to the URL of your server, or pass --url.');
  if (!token)
    throw new UsageError(
      'Set QUARTERDECK_TOKEN to an API token (role viewer to read, editor to change something), or pass --token.',
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(
      'QUARTERDECK_TOKEN contains a character that no token has, such as a space or a line break. Copy the token again.',
    );
  if (/^sk_(live|test|deploy)_/.test(token))
    throw new UsageError(
      `QUARTERDECK_TOKEN is a ${token.startsWith('sk_deploy_') ? 'deploy token' : 'project key'}; set it to an API token, as the console makes them for a role.`,
    );
  return { url: addressOf(url), token, patienceMs: PATIENCE_MS };
}

/** The base URL of a server. Throws UsageError. */
function addressOf(text: string): string {
  const refused = (what: string) => new UsageError(`QUARTERDECK_URL ${what}`);
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text))
    throw refused(`must be a URL that begins with http:// or https://; got ${text}`);
  const { username, password, search, hash, origin, pathname } = new URL(text);
  if (username !== '' || password !== '')
    throw refused('contains a user name or a password. Remove them; the token alone identifies you.');
  if (search !== '' || hash !== '') throw refused(`must be the URL of the server alone, without ? or #; got ${text}`);
  return origin + pathname.replace(/\/+$/, '');
}

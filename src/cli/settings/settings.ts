/** Where the command sends things, and as whom. */
export interface CliSettings {
  url: string;
  token: string;
}

/** Something the person at the keyboard has to change; shown without a stack. */
export class UsageError extends Error {}

/** The variables of the process; the command reads no others. */
export const environmentVariables: Readonly<Record<string, string | undefined>> = process.env;

/** Reads `QUARTERDECK_URL` and `QUARTERDECK_TOKEN`; options win over them, both over the config file. Throws UsageError. */
export function readSettings(
  options: { url?: string | undefined; token?: string | undefined },
  config: { url?: string | undefined } = {},
): CliSettings {
  const url = options.url ?? environmentVariables.QUARTERDECK_URL ?? config.url;
  const token = options.token ?? environmentVariables.QUARTERDECK_TOKEN;
  if (!url) throw new UsageError('Set QUARTERDECK_URL to the address of the server, or give --url.');
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    throw new UsageError(`QUARTERDECK_URL is no address that begins with http:// or https://: ${url}`);
  if (!token) throw new UsageError('Set QUARTERDECK_TOKEN to an API token with the role editor, or give --token.');
  return { url: url.replace(/\/+$/, ''), token };
}

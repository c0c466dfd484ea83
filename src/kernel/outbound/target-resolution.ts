import { lookup, Resolver } from 'node:dns/promises';
import type { AddressGuard } from './target-address.js';
import { isLocalhost, type Target } from './target-url.js';

/** All addresses of a name, IPv4 first; rejects when there are none or the lookup fails. */
export type NameResolver = (name: string) => Promise<string[]>;

/** Why a target was not connected to: `dns` when the name does not resolve, `address` when an address is denied. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable';

  constructor(
    readonly kind: 'dns' | 'address',
    readonly detail: string,
  ) {
    super(`${kind}:${detail}`);
  }
}

/**
 * The addresses an attempt may connect to. One denied address refuses all of them: a name that mixes public and private
 * addresses is an attack or a mistake, and which one is used would be chance.
 * @throws TargetUnreachable
 */
export async function checkedAddresses(target: Target, guard: AddressGuard, resolve: NameResolver): Promise<string[]> {
  const addresses = target.isLiteral ? [target.host] : await resolveName(target.host, resolve);
  for (const address of addresses) {
    const denied = guard.refusal(address);
    if (denied !== null) throw new TargetUnreachable('address', denied);
  }
  return addresses;
}

async function resolveName(host: string, resolve: NameResolver): Promise<string[]> {
  if (isLocalhost(host)) return ['127.0.0.1'];
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new TargetUnreachable('dns', codeOf(error));
  });
  if (addresses.length === 0) throw new TargetUnreachable('dns', 'ENOTFOUND');
  return addresses;
}

/** Timeout of a DNS query in milliseconds, and the number of tries: less in total than an attempt has. */
const TIMING = { timeout: 2_000, tries: 2 };

/**
 * Queries the system's name servers without the thread pool: `getaddrinfo` occupies one of libuv's four threads while a
 * name server is silent, and a handful of dead names would block all file access of the process. It is used only for
 * names the servers do not know (hosts file, search domains), at most two at a time.
 */
export function systemResolver(servers?: readonly string[], timing = TIMING): NameResolver {
  const resolver = new Resolver(timing);
  if (servers !== undefined) resolver.setServers(servers);
  const fallback = servers === undefined ? limited(2, systemLookup) : null;
  return shared(async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const failure = [four, six].map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : 'ENODATA'));
    const unknown = failure.every((code) => code === 'ENOTFOUND' || code === 'ENODATA');
    if (unknown && fallback !== null) return await fallback(name);
    throw Object.assign(new Error(`cannot resolve ${name}`), { code: failure[0] });
  });
}

async function systemLookup(name: string): Promise<string[]> {
  const answers = await lookup(name, { all: true, order: 'ipv4first' });
  return answers.map(({ address }) => address);
}

/** Concurrent lookups of the same name share one query. */
function shared(resolve: NameResolver): NameResolver {
  const underWay = new Map<string, Promise<string[]>>();
  return (name) => {
    const known = underWay.get(name);
    if (known !== undefined) return known;
    const resolution = resolve(name).finally(() => underWay.delete(name));
    underWay.set(name, resolution);
    return resolution;
  };
}

function limited(atOnce: number, resolve: NameResolver): NameResolver {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (name) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((handOver) => waiting.push(handOver));
    try {
      return await resolve(name);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EAI_FAIL';
}

import { execFile, spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './server-process.js';

const VERSION = '8.2.0';
const READY_WITHIN_MS = 120_000;
const dist = join(dirname(fileURLToPath(import.meta.url)), '../..');
const [ADMIN, BACKEND, FRONTEND] = [
  '*:*.bench-admin',
  'default:development.bench-backend',
  'default:development.bench-frontend',
];

/** A flag's strategy as Unleash's admin API takes it: its share of the persons and the constraints on them. */
export interface UnleashStrategy {
  rollout: number;
  constraints: { contextName: string; operator: 'IN' | 'SEMVER_GT' | 'SEMVER_LT'; values?: string[]; value?: string }[];
}

/** Unleash in a separate process. */
export interface Unleash {
  url: string;
  pid: number;
  /**
   * Headers for a server library, which asks for the list of flags, and for a page, which asks for one person's
   * answers.
   */
  backend: Record<string, string>;
  frontend: Record<string, string>;
  stop(): void;
}

/**
 * Starts Unleash on an empty database, with a flag for each list of strategies: `flag-0`, `flag-1` …, off if the list
 * is empty. Its packages are installed below `dist/` at the first call, because they are only a peer to measure and
 * nothing that the product or its tests need.
 * @returns null if they cannot be installed
 */
export async function startUnleash(databaseUrl: string, flags: readonly UnleashStrategy[][]): Promise<Unleash | null> {
  const packages = await installUnleash().catch(() => null);
  if (packages === null) return null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(packages, 'unleash-server/dist/server.js')], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      INIT_ADMIN_API_TOKENS: ADMIN,
      INIT_BACKEND_API_TOKENS: BACKEND,
      INIT_FRONTEND_API_TOKENS: FRONTEND,
      // No request may be rejected during a measurement.
      SDK_API_RATE_LIMIT_PER_MINUTE: '1000000000',
      TOKEN_AUTHENTICATION_RATE_LIMIT_PER_MINUTE: '1000000000',
    },
    stdio: 'ignore',
  });
  const stop = () => void child.kill();
  process.once('exit', stop);
  try {
    await untilReady(url, () => child.exitCode !== null);
    for (const [index, strategies] of flags.entries()) await makeFlag(url, `flag-${index}`, strategies);
  } catch (error) {
    stop();
    throw error;
  }
  return {
    url,
    pid: child.pid ?? 0,
    backend: { authorization: BACKEND as string },
    frontend: { authorization: FRONTEND as string },
    stop,
  };
}

/** @returns the folder of its packages */
async function installUnleash(): Promise<string> {
  const folder = join(dist, `.peers/unleash-${VERSION}`);
  const whole = join(folder, 'installed');
  const isThere = await access(whole).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const order = ['install', `unleash-server@${VERSION}`, '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', order, { cwd: folder });
    await writeFile(whole, '');
  }
  return join(folder, 'node_modules');
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const answer = await fetch(`${url}/ready`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    if (hasEnded()) throw new Error('Unleash ended before it was ready');
    if (performance.now() - begun > READY_WITHIN_MS) throw new Error('Unleash was not ready in time');
    await sleep(200);
  }
}

async function makeFlag(url: string, name: string, strategies: readonly UnleashStrategy[]): Promise<void> {
  const features = '/api/admin/projects/default/features';
  const environment = `${features}/${name}/environments/development`;
  await post(url, features, { name, type: 'release' });
  for (const { rollout, constraints } of strategies)
    await post(url, `${environment}/strategies`, {
      name: 'flexibleRollout',
      constraints,
      parameters: { rollout: String(rollout), stickiness: 'userId', groupId: name },
    });
  if (strategies.length > 0) await post(url, `${environment}/on`, {});
}

async function post(url: string, path: string, body: object): Promise<void> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: ADMIN as string, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Unleash answered POST ${path} with ${answer.status}: ${text}`);
}

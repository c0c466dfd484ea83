import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { KEY_SCOPES } from '../../../src/modules/access/keys/key-scopes.js';
import { newSecret, secretHash } from '../../../src/modules/access/keys/secret-keys.js';
import type { ServerProcess } from '../../harness/server-process.js';

/**
 * A project with unlimited ingestion: no event quota, and enough live keys that none reaches its limit of 500 requests
 * a minute.
 */
export interface IngestProject {
  projectId: string;
  keys: string[];
}

/** Turns the server's demo project into one. */
export async function ingestProject(server: ServerProcess, databaseUrl: string, keys: number): Promise<IngestProject> {
  const { project_id: projectId } = await server.firstRun();
  const secrets = Array.from({ length: keys }, () => newSecret('sk_live_'));
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(
    `insert into project_plan (project_id, plan, updated_at) values ($1, 'enterprise', now())
     on conflict (project_id) do update set plan = 'enterprise'`,
    [projectId],
  );
  await database.query(
    `insert into project_key (id, project_id, environment, name, hash, hint, scopes, created_at)
     select id, $1, 'live', 'bench', hash, '', $2, now() from unnest($3::uuid[], $4::text[]) as t(id, hash)`,
    [projectId, KEY_SCOPES, secrets.map(() => randomUUID()), secrets.map(secretHash)],
  );
  await database.end();
  return { projectId, keys: secrets };
}

/** A track operation of about 300 bytes, as an app would send it. */
export function sampleOperation(i: number): object {
  return {
    type: 'track',
    payload: {
      event_name: 'screen_viewed',
      distinct_id: `user-${Math.floor(Math.random() * 1_000_000)}`,
      timestamp: new Date().toISOString(),
      properties: {
        screen: `home/${i % 100}`,
        app_version: '3.2.1',
        platform: 'ios',
        os_version: '17.4',
        locale: 'en_GB',
        session_id: randomUUID(),
        duration_ms: (i * 37) % 5_000,
        first: i % 2 === 0,
      },
    },
  };
}

/** The body of a batch with this many events. */
export const sampleBody = (operations: number): string =>
  JSON.stringify({ operations: Array.from({ length: operations }, (_, i) => sampleOperation(i)) });

import { lengthOf } from '../copy/copy-binary.js';
import type { CopyLink } from '../copy/copy-link.js';
import type { Tenant } from '../intake/ingest-request.js';
import { changeIdentities } from './identity-store.js';

const ONE_COLUMN = Buffer.from([0, 1]);

const MERGE = `
  update person p set properties = (p.properties || given.patch) - given.removed, updated_at = $4
    from (select patch, array(select key from jsonb_each(patch) where value = 'null') as removed
            from (select properties::jsonb as patch from ingest_profile) as sent) as given
   where p.id = (select person_id from person_id where project_id = $1 and environment = $2 and distinct_id = $3)`;

/**
 * Merges properties into a person's profile in the database, without holding them here; null removes a key. Within a transaction that has
 * the lock of the environment's identities. `length` is the number of bytes in `properties`, the JSON text of an object.
 */
export async function mergeLargeProfile(
  link: CopyLink,
  tenant: Tenant,
  distinctId: string,
  properties: AsyncIterable<Buffer>,
  length: number,
  now: Date,
): Promise<void> {
  await changeIdentities(link, tenant, [{ aliases: [], people: [{ distinctId, properties: '{}' }] }], now);
  await link.run('create temp table ingest_profile (properties json) on commit drop');
  await link.run('copy ingest_profile from stdin (format binary)', row(properties, length));
  await link.query(MERGE, [tenant.projectId, tenant.environment, distinctId, now]);
  await link.run('drop table ingest_profile');
}

async function* row(properties: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  yield Buffer.concat([ONE_COLUMN, lengthOf(length)]);
  yield* properties;
}

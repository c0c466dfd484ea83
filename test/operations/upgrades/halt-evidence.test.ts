import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEmptyDatabase, migrateDatabase, migrateUpTo } from '../../support/database.js';

const upgrade = suite('an upgrade that moves the evidence of halts to their flags');

const [PROJECT, ORGANIZATION] = [randomUUID(), randomUUID()];

upgrade('a flag that is halted keeps the link of its newest halt; others have none', async () => {
  const made = await createEmptyDatabase();
  await migrateUpTo(made.url, { before: '20261128200000-halt-evidence' });
  const database = new pg.Client({ connectionString: made.url });
  await database.connect();
  try {
    await database.query(`insert into organization (id, name, created_at) values ('${ORGANIZATION}', 'Acme', now())`);
    await database.query(
      `insert into project (id, organization_id, name, authorized_origins, authorized_addresses, disabled_modules, created_at, updated_at) values ('${PROJECT}', '${ORGANIZATION}', 'Shop', '{}', '{}', '{}', now(), now())`,
    );
    const halts = {
      halted: ['https://e.example/1', 'https://e.example/2'],
      bare: [null],
      resumed: ['https://e.example/3'],
    };
    for (const [id, links] of Object.entries(halts)) {
      await database.query(
        `insert into flag (id, project_id, environment, key, kind, description, default_value, default_variant, variants, rules,
                           is_archived, current_version, halted_at, created_at, updated_at)
         values ($1, '${PROJECT}', 'live', $1, 'boolean', '', 'false', 'off', '[]', '[]', false, 2,
                 case when $1 = 'resumed' then null else now() end, now(), now())`,
        [id],
      );
      for (const link of links)
        await database.query(
          `insert into event_log (id, kind, organization_id, project_id, object_type, object_id, actor_id, actor_email, request_id, data, created_at)
           values ($1, 'switch.flag.halted', '${ORGANIZATION}', '${PROJECT}', 'flag', $2, 'system:halt-webhook', '', 'r', $3, now())`,
          [randomUUID(), id, { evidence_url: link }],
        );
    }
    await migrateDatabase(made.url);
    const { rows } = await database.query('select id, halt_evidence_url as link from flag order by id');
    assert.equal(rows, [
      { id: 'bare', link: null },
      { id: 'halted', link: 'https://e.example/2' },
      { id: 'resumed', link: null },
    ]);
  } finally {
    await database.end();
    await made.drop();
  }
});

upgrade.run();

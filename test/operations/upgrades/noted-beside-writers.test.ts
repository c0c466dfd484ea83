import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEmptyDatabase, migrateDatabase, migrateUpTo } from '../../support/database.js';

const notes = suite('migrations that note what is there');

const RESPONSE = `insert into survey_response (id, project_id, survey_id, survey_version, environment, context, submitted_at, created_at)
  values ($2, $1, 'survey', 1, 'live', '{}', now(), now())`;
const UNCOUNTED = `create table survey_response_uncounted (
  survey_id text not null, environment text not null, response_id text not null,
  primary key (survey_id, environment, response_id))`;
const CRASH = `insert into crash_event (event_id, project_id, environment, received_at, occurred_at, platform, level, title, payload, status, missing)
  values (md5($2)::uuid, $1, 'live', '2026-01-02', '2026-01-02', 'ios', 'error', '', '{}', 'symbolicated', '{debug:1}')`;
const MISSING = `create table crash_missing_note (
  project_id uuid not null, environment text not null, day date not null, primary key (project_id, environment, day))`;

/** By the time other writers can use their tables again, the trigger exists that makes their notes. */
const CASES = [
  {
    migration: '20261123010000-response-counts',
    table: 'survey_response_uncounted',
    made: UNCOUNTED,
    write: RESPONSE,
    trigger: 'survey_response_uncounted',
    noted: [{ noted: 'before' }, { noted: 'meanwhile' }],
    read: 'select response_id as noted from survey_response_uncounted order by 1',
  },
  {
    migration: '20261123080000-missing-days',
    table: 'crash_missing_note',
    made: MISSING,
    write: CRASH,
    trigger: 'crash_event_missing_noted',
    noted: [{ noted: '2026-01-02' }],
    read: 'select day::text as noted from crash_missing_note',
  },
];

for (const { migration, table, made, write, trigger, noted, read } of CASES) {
  notes(`${migration} unlocks the table for writers before reading it, and resumes where it stopped`, async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await migrateUpTo(database.url, { before: migration });
      const project = randomUUID();
      await client.query(write, [project, 'before']);
      await client.query(`${made}; alter table ${table} add constraint refused check (false)`);
      const failure = await migrateUpTo(database.url, { last: migration }).catch((error: Error) => error);
      assert.match(String(failure), 'refused');

      const { rows } = await client.query('select from pg_trigger where tgname = $1', [trigger]);
      assert.is(rows.length, 1, 'writers make their own notes, and nobody is locked out meanwhile');
      await client.query(`alter table ${table} drop constraint refused`);
      await client.query(write, [project, 'meanwhile']);
      await migrateUpTo(database.url, { last: migration });
      assert.equal((await client.query(read)).rows, noted);
      await migrateDatabase(database.url);
    } finally {
      await client.end();
      await database.drop();
    }
  });
}

notes.run();

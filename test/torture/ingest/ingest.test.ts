import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run as runControls } from './ingest-controls.torture.js';
import { run as runDatabaseKill } from './ingest-database-kill.torture.js';
import { run as runServerKill } from './ingest-server-kill.torture.js';
import { run as runSigterm } from './ingest-sigterm.torture.js';
import { runKilled as runErasure } from './person-erasure.torture.js';

/** Runs the work one after another; each test awaits its own part. */
function inTurn<Name extends string>(runs: Record<Name, () => Promise<void>>): Record<Name, Promise<void>> {
  let before: Promise<unknown> = Promise.resolve();
  const started = {} as Record<Name, Promise<void>>;
  for (const name of Object.keys(runs) as Name[]) {
    started[name] = before.then(runs[name]);
    before = started[name].catch(() => undefined);
  }
  return started;
}

const x = suite('ingestion under torture, in its quick form');

// Two runs at a time, because each spends most of its time waiting for processes to start.
const runs = {
  ...inTurn({ serverKills: () => quickly(1, runServerKill), erasures: () => quickly(5, runErasure) }),
  ...inTurn({
    databaseKills: () => quickly(2, runDatabaseKill),
    sigterms: () => quickly(1, runSigterm),
    controls: () => quickly(2, runControls),
  }),
};

x('loses nothing to a kill of the server', () => runs.serverKills);
x('loses nothing to a kill of PostgreSQL or of a backend', () => runs.databaseKills);
x('loses nothing to a SIGTERM', () => runs.sigterms);
x('completes an erasure that a kill of the server interrupted', () => runs.erasures);
x('the same harness catches naive implementations', () => runs.controls);

x.run();

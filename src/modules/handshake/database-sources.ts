import type { Pool } from 'pg';
import { disabledModules } from '../access/projects/disabled-modules.js';
import { crashSampleRate } from '../catch/crashes/crash-settings.service.js';
import { configDefinitions } from '../config/config-definitions.js';
import { currentRelease } from '../deploy/current-release.js';
import { cohortDefinitions } from '../ingest/cohorts/cohort-definitions.js';
import { changesSince, presentPosition } from '../ingest/people/person-changes.js';
import { readPersonFacts } from '../ingest/people/person-facts.js';
import { flagDefinitions } from '../switch/flags/flag-definitions.js';
import type { DecisionSources, PersonSources } from './decision-sources.js';

/** The sources of decisions, read by the modules' own queries. */
export function databaseSources(pool: Pool): DecisionSources & PersonSources {
  return {
    disabledModules: ({ projectId }) => disabledModules(pool, projectId),
    flags: ({ projectId, environment }) => flagDefinitions(pool, projectId, environment),
    items: ({ projectId, environment }) => configDefinitions(pool, projectId, environment),
    cohorts: ({ projectId }) => cohortDefinitions(pool, projectId),
    release: ({ projectId, environment }) => currentRelease(pool, projectId, environment),
    sampleRate: ({ projectId, environment }) => crashSampleRate(pool, projectId, environment),
    facts: ({ projectId, environment }, ids, wanted) => readPersonFacts(pool, projectId, environment, ids, wanted),
    position: () => presentPosition(pool),
    changes: (position) => changesSince(pool, position),
  };
}

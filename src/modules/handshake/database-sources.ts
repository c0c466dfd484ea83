import type { Pool } from 'pg';
import { disabledModules } from '../access/projects/disabled-modules.js';
import { crashSampleRate } from '../catch/crashes/crash-settings.service.js';
import { configDefinitions } from '../config/config-definitions.js';
import { currentRelease } from '../deploy/current-release.js';
import type { CohortMemberships } from '../ingest/cohorts/cohort-memberships.js';
import { flagDefinitions } from '../switch/flags/flag-definitions.js';
import type { DecisionSources } from './decision-sources.js';

/** What decisions are made from, as the modules' own queries read it. */
export function databaseSources(pool: Pool, memberships: CohortMemberships): DecisionSources {
  return {
    disabledModules: ({ projectId }) => disabledModules(pool, projectId),
    flags: ({ projectId, environment }) => flagDefinitions(pool, projectId, environment),
    items: ({ projectId, environment }) => configDefinitions(pool, projectId, environment),
    hasCohorts: ({ projectId }) => memberships.hasCohorts(projectId),
    release: ({ projectId, environment }) => currentRelease(pool, projectId, environment),
    sampleRate: ({ projectId, environment }) => crashSampleRate(pool, projectId, environment),
    person: (projectId, environment, distinctId) => memberships.factsOf(projectId, environment, distinctId),
  };
}

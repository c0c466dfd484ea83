import { connectionOf } from '../../kernel/paging.js';
import { Cohort } from './cohorts/cohort.entity.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import { Person } from './people/person.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';

export const EventConnection = connectionOf(AnalyticsEvent, 'AnalyticsEvent');
export const PersonConnection = connectionOf(Person, 'Person');
export const CohortConnection = connectionOf(Cohort, 'Cohort');
export const WarningConnection = connectionOf(IngestionWarning, 'IngestionWarning');

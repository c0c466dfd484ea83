import type { RowKind } from '../../../events/live-rows.js';
import type { AnalyticsEvent } from './analytics-event.js';
import { readEvents } from './event-pages.js';

/** Where events are reported as they are stored: the project and environment as one text. */
export const eventPlace = (projectId: string, environment: string): string => `${projectId}/${environment}`;

/** Events as they are ingested, of one environment or both. */
export const LIVE_EVENTS: RowKind<AnalyticsEvent> = {
  placesOf: ({ projectId, environment }) =>
    (environment ? [environment] : ['live', 'test']).map((each) => eventPlace(projectId, each)),
  read: ({ em }, { projectId, environment }, ids) => readEvents(em, projectId, environment, ids),
};

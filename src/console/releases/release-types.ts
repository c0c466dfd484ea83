import type { ReleasesQuery } from '#documents';

export type Release = NonNullable<ReleasesQuery['releases']>['nodes'][number];

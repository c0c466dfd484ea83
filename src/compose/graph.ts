import { CrashPersonEdges } from '../modules/graph/crash-edges.resolver.js';
import { CrashFreeSessionsResolver } from '../modules/graph/crash-free-sessions.resolver.js';
import { ReleaseCrashEdges } from '../modules/graph/release-edges.resolver.js';
import { ResponsePersonEdges, TicketSurveyEdges, TriageSurveyEdges } from '../modules/graph/survey-edges.resolver.js';
import { SuspectFlagEdges } from '../modules/graph/suspect-flags.resolver.js';
import type { composeCatch } from './catch.js';
import type { Composed } from './parts.js';

/** Edges between modules that know nothing about each other. */
export function composeGraph({ symbolArtifacts, crashIssues }: ReturnType<typeof composeCatch>['services']) {
  const services = {};
  return {
    services,
    resolvers: [
      new TicketSurveyEdges(),
      new TriageSurveyEdges(),
      new ResponsePersonEdges(),
      new CrashPersonEdges(),
      new SuspectFlagEdges(),
      new CrashFreeSessionsResolver(),
      new ReleaseCrashEdges(symbolArtifacts, crashIssues),
    ],
  } satisfies Composed<typeof services>;
}

import { CrashPersonEdges } from '../modules/graph/crash-edges.resolver.js';
import { TicketSurveyEdges, TriageSurveyEdges } from '../modules/graph/survey-edges.resolver.js';
import type { Composed } from './parts.js';

/** Edges between modules that know nothing of each other. */
export function composeGraph() {
  const services = {};
  return {
    services,
    resolvers: [new TicketSurveyEdges(), new TriageSurveyEdges(), new CrashPersonEdges()],
  } satisfies Composed<typeof services>;
}

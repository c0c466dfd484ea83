import { ConfigRuleCohortEdge } from '../modules/graph/cohort-edges.resolver.js';
import { CrashPersonEdges } from '../modules/graph/crash-edges.resolver.js';
import { CrashFreeSessionsResolver } from '../modules/graph/crash-free-sessions.resolver.js';
import { PersonEdges } from '../modules/graph/person-edges.resolver.js';
import { ReleaseCrashEdges } from '../modules/graph/release-edges.resolver.js';
import {
  CrashEventRelease,
  CrashFreeReleaseNode,
  CrashIssueReleases,
  MissingSymbolsRelease,
  SymbolArtifactRelease,
} from '../modules/graph/release-nodes.resolver.js';
import {
  ResponsePersonEdges,
  ResponseTicketEdges,
  SurveyTriageEdges,
  TicketSurveyEdges,
  TriageSurveyEdges,
} from '../modules/graph/survey-edges.resolver.js';
import { SuspectFlagEdges } from '../modules/graph/suspect-flags.resolver.js';
import type { composeCatch } from './catch.js';
import type { Composed } from './parts.js';
import type { composePlan } from './plan.js';
import type { composePulse } from './pulse.js';

/** Edges between modules that don't know about each other. */
export function composeGraph(
  { symbolArtifacts, crashIssues }: ReturnType<typeof composeCatch>['services'],
  { responses }: ReturnType<typeof composePulse>['services'],
  { tickets, triageRules }: ReturnType<typeof composePlan>['services'],
) {
  const services = {};
  return {
    services,
    resolvers: [
      new TicketSurveyEdges(),
      new TriageSurveyEdges(),
      new SurveyTriageEdges(triageRules),
      new ResponsePersonEdges(),
      new ResponseTicketEdges(tickets),
      new CrashPersonEdges(),
      new PersonEdges(responses),
      new ConfigRuleCohortEdge(),
      new SuspectFlagEdges(),
      new CrashFreeSessionsResolver(),
      new ReleaseCrashEdges(symbolArtifacts, crashIssues),
      new CrashEventRelease(),
      new CrashIssueReleases(),
      new SymbolArtifactRelease(),
      new MissingSymbolsRelease(),
      new CrashFreeReleaseNode(),
    ],
  } satisfies Composed<typeof services>;
}

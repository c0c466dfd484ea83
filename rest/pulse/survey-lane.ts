import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesBody } from '../../src/kernel/bodies/inflate.js';
import type { SurveyCatalogue, SurveyCatalogues } from '../../src/modules/pulse/surveys/survey-catalogues.js';
import { matchesEntityTag } from '../etag.js';
import { type Lane, type LaneParts, laneHeaders, measure, openKey, sendJson } from '../lane.js';
import { BUNDLE_PATH, LIST_PATH, VERSIONED_LIST_PATH } from './paths.js';
import { surveyBundle, surveyList } from './survey-json.js';

/** What the lane needs from the application. */
export interface SurveyLaneParts extends LaneParts {
  readonly catalogues: SurveyCatalogues;
  /** The way of all other requests. */
  readonly common: (message: IncomingMessage, response: ServerResponse) => unknown;
}

const CACHED = ['cache-control', 'private, max-age=300'];
/** A bundle's path with nothing in its last part that would have to be decoded, and without a query. */
const BUNDLE = /^\/api\/(?:v1\/)?pulse\/surveys\/([A-Za-z0-9_-]+)$/;

/**
 * Answers survey lists and bundles: every page view of every client asks for them. The lane takes a request only when it has no body, its
 * key is known and the key's project lists no origins or addresses; whatever is then not a plain success goes the common way after all.
 */
export function surveyLane(parts: SurveyLaneParts): Lane {
  return (message, response) => {
    if (message.method !== 'GET' || announcesBody(message)) return false;
    const url = message.url ?? '';
    const isList = url === LIST_PATH || url === VERSIONED_LIST_PATH;
    const idOrSlug = isList ? null : BUNDLE.exec(url)?.[1];
    if (idOrSlug === undefined) return false;
    const standing = openKey(parts.keys, message, 'survey')?.standing;
    if (!standing || standing.rateLimit !== null) return false;
    take(parts, message, response, { projectId: standing.actor.projectId, idOrSlug }).catch(() => response.destroy());
    return true;
  };
}

interface Taken {
  readonly projectId: string;
  /** Null asks for the list. */
  readonly idOrSlug: string | null;
}

async function take(
  parts: SurveyLaneParts,
  message: IncomingMessage,
  response: ServerResponse,
  { projectId, idOrSlug }: Taken,
): Promise<void> {
  const begun = performance.now();
  const catalogue = await parts.catalogues.current(projectId).catch(() => null);
  const shared = laneHeaders(parts, message);
  const answered =
    catalogue !== null &&
    (idOrSlug === null
      ? sendList(response, shared, catalogue, message.headers['if-none-match'])
      : sendBundle(response, shared, catalogue, idOrSlug));
  if (!answered) {
    parts.common(message, response);
    return;
  }
  const word = { refusal: '', requestId: shared[1] as string };
  measure(parts, { method: 'GET', path: idOrSlug === null ? LIST_PATH : BUNDLE_PATH }, response, word, begun);
}

function sendList(
  response: ServerResponse,
  shared: string[],
  catalogue: SurveyCatalogue,
  known: string | undefined,
): boolean {
  const { etag, list } = surveyList(catalogue);
  const headers = [...shared, 'etag', etag, ...CACHED];
  if (matchesEntityTag(known, etag)) response.writeHead(304, headers).end();
  else sendJson(response, 200, headers, list);
  return true;
}

function sendBundle(response: ServerResponse, shared: string[], catalogue: SurveyCatalogue, idOrSlug: string): boolean {
  const survey = catalogue.byIdOrSlug.get(idOrSlug);
  if (survey?.status !== 'published') return false;
  sendJson(response, 200, [...shared, ...CACHED], surveyBundle(catalogue, survey, null));
  return true;
}

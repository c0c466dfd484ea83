import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../../src/kernel/metrics.js';
import { requestIdOf } from '../../src/kernel/request-id.js';
import type { KeyDirectory, KeyStanding } from '../../src/modules/access/key-directory.js';
import type { SurveyCatalogue, SurveyCatalogues } from '../../src/modules/pulse/survey-catalogues.js';
import { corsHeaders } from '../cors.js';
import { matchesEntityTag } from '../etag.js';
import { BUNDLE_PATH, LIST_PATH, VERSIONED_LIST_PATH } from './paths.js';
import { surveyBundle, surveyList } from './survey-json.js';

/** What the lane needs from the application. */
export interface SurveyLaneParts {
  readonly keys: KeyDirectory;
  readonly catalogues: SurveyCatalogues;
  readonly metrics: Metrics;
  /** What every answer of data carries, names and values in turn. */
  readonly headers: readonly string[];
  /** The way of all other requests. */
  readonly common: (message: IncomingMessage, response: ServerResponse) => unknown;
}

const CACHED = ['cache-control', 'private, max-age=300'];
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'];
/** A bundle's path with nothing in its last part that would have to be decoded, and without a query. */
const BUNDLE = /^\/api\/(?:v1\/)?pulse\/surveys\/([A-Za-z0-9_-]+)$/;

/**
 * Answers survey lists and bundles past Koa: every page view of every client asks for them, and Koa with the route runner costs
 * several times what the answer does. The lane takes a request only when its key is known and the key's project lists no
 * origins or addresses; whatever is then not a plain success goes the common way after all.
 *
 * @returns whether the request was taken.
 */
export function surveyLane(parts: SurveyLaneParts): (message: IncomingMessage, response: ServerResponse) => boolean {
  return (message, response) => {
    if (message.method !== 'GET') return false;
    const url = message.url ?? '';
    const isList = url === LIST_PATH || url === VERSIONED_LIST_PATH;
    const idOrSlug = isList ? null : BUNDLE.exec(url)?.[1];
    const secret = message.headers['x-api-key'];
    if (idOrSlug === undefined || typeof secret !== 'string') return false;
    const key = parts.keys.known(secret);
    if (!key || !isFree(key)) return false;
    take(parts, message, response, { projectId: key.actor.projectId, idOrSlug }).catch(() => response.destroy());
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
  const shared = ['x-request-id', requestIdOf(message.headers['x-request-id']), ...parts.headers, ...corsHeaders];
  const answered =
    catalogue !== null &&
    (idOrSlug === null
      ? sendList(response, shared, catalogue, message.headers['if-none-match'])
      : sendBundle(response, shared, catalogue, idOrSlug));
  if (!answered) {
    parts.common(message, response);
    return;
  }
  const route = idOrSlug === null ? LIST_PATH : BUNDLE_PATH;
  parts.metrics.requests.observe('GET', route, response.statusCode, '', (performance.now() - begun) / 1000);
}

function isFree({ actor, authorizedOrigins, authorizedAddresses, rateLimit }: KeyStanding): boolean {
  return (
    actor.scopes.has('survey') &&
    authorizedOrigins.length === 0 &&
    authorizedAddresses.length === 0 &&
    rateLimit === null
  );
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
  else response.writeHead(200, [...headers, ...JSON_TYPE, 'content-length', String(list.length)]).end(list);
  return true;
}

function sendBundle(response: ServerResponse, shared: string[], catalogue: SurveyCatalogue, idOrSlug: string): boolean {
  const survey = catalogue.byIdOrSlug.get(idOrSlug);
  if (survey?.status !== 'published') return false;
  const body = surveyBundle(catalogue, survey, null);
  response.writeHead(200, [...shared, ...CACHED, ...JSON_TYPE, 'content-length', String(body.length)]).end(body);
  return true;
}

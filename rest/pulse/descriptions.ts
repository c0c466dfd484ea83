import { Type } from 'typebox';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from '../../src/modules/pulse/responses/response-export.js';
import { IfNoneMatch } from '../field-schemas.js';
import { describe, notModified } from '../openapi/description.js';
import { LinkQuery } from '../openapi/link-query.js';
import {
  BundleQuery,
  Deleted,
  ExportLinkParams,
  ExportParams,
  ExportQuery,
  PartialAnswer,
  PartialQuery,
  SavedPartialAnswer,
  SubmittedAnswer,
  SurveyBundle,
  SurveyList,
  SurveyParams,
} from './schemas.js';

export const CACHED = 'private, max-age=300';
export const PERSONAL = 'private, no-store';

const BY_KEY = { vary: '`x-api-key`: a response cached for one key must not be used for another.' };

export const listSurveys = describe({
  id: 'listSurveys',
  tag: 'Surveys',
  summary: 'List the published surveys',
  details: 'Clients evaluate the targeting rules themselves and cache the list for five minutes.',
  headers: IfNoneMatch,
  answers: {
    200: {
      description: 'In order of creation.',
      schema: SurveyList,
      tagged: true,
      cacheControl: [CACHED],
      headers: BY_KEY,
    },
    304: notModified({ cacheControl: [CACHED], headers: BY_KEY }),
  },
});

export const getSurvey = describe({
  id: 'getSurvey',
  tag: 'Surveys',
  summary: 'Get a published survey with its questions',
  params: SurveyParams,
  query: BundleQuery,
  headers: IfNoneMatch,
  answers: {
    200: {
      description: 'The survey.',
      schema: SurveyBundle,
      tagged: true,
      cacheControl: [CACHED, PERSONAL],
      headers: BY_KEY,
    },
    304: notModified({ cacheControl: [CACHED, PERSONAL], headers: BY_KEY }),
  },
  failures: ['survey_not_found', 'not_accepting_responses'],
});

export const submitResponse = describe({
  id: 'submitSurveyResponse',
  tag: 'Surveys',
  summary: 'Submit a response',
  answers: { 201: { description: 'Durably stored.', schema: SubmittedAnswer } },
  failures: [
    'invalid_body',
    'invalid_answers',
    'survey_not_found',
    'not_accepting_responses',
    'no_questions',
    'validation',
    'quota_exceeded',
  ],
});

export const savePartial = describe({
  id: 'savePartialResponse',
  tag: 'Surveys',
  summary: 'Save partial answers',
  details: 'Replaces the previous partial save. It is kept for 30 days or until the response is submitted.',
  answers: { 200: { description: 'Saved.', schema: SavedPartialAnswer, cacheControl: [PERSONAL] } },
  failures: [
    'invalid_body',
    'invalid_answers',
    'survey_not_found',
    'not_accepting_responses',
    'no_questions',
    'validation',
  ],
});

export const getPartial = describe({
  id: 'getPartialResponse',
  tag: 'Surveys',
  summary: 'Get partial answers',
  query: PartialQuery,
  answers: { 200: { description: 'The partial save.', schema: PartialAnswer, cacheControl: [PERSONAL] } },
  failures: ['invalid_body', 'survey_not_found', 'partial_not_found'],
});

export const deletePartial = describe({
  id: 'deletePartialResponse',
  tag: 'Surveys',
  summary: 'Delete partial answers',
  details: 'Repeating it changes nothing.',
  query: PartialQuery,
  answers: { 200: { description: 'Gone.', schema: Deleted, cacheControl: [PERSONAL] } },
  failures: ['invalid_body', 'survey_not_found'],
});

const FORMAT_NAMES: Record<ExportFormat, string> = { csv: 'CSV', ndjson: 'newline-delimited JSON' };

const exported = (format: ExportFormat) => ({
  description: 'Oldest first, streamed.',
  schema: Type.String(),
  mediaType: EXPORT_MEDIA_TYPES[format],
  cacheControl: [PERSONAL],
  headers: { 'content-disposition': 'Suggested file name.' },
});

export const downloadExport = (format: ExportFormat) =>
  describe({
    id: format === 'csv' ? 'downloadExportCsv' : 'downloadExportNdjson',
    tag: 'Surveys',
    summary: `Download an export as ${FORMAT_NAMES[format]} with a signed link`,
    details: 'Get a link from the GraphQL field `responsesDownloadUrl` of a survey; it is valid for five minutes.',
    params: ExportLinkParams,
    query: LinkQuery,
    answers: { 200: exported(format) },
    failures: ['invalid_link'],
  });

export const exportResponses = (format: ExportFormat) =>
  describe({
    id: format === 'csv' ? 'exportResponsesCsv' : 'exportResponsesNdjson',
    tag: 'Surveys',
    summary: `Export all responses of a survey as ${FORMAT_NAMES[format]}`,
    details: 'Email addresses are redacted for roles below Editor.',
    params: ExportParams,
    query: ExportQuery,
    answers: { 200: exported(format) },
    failures: ['survey_not_found', 'invalid_environment'],
  });

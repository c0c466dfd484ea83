import { Type } from 'typebox';
import { SentAt } from '../field-schemas.js';
import { describe } from '../openapi/description.js';
import { LinkQuery } from '../openapi/link-query.js';
import {
  ArtifactAnswer,
  ArtifactParams,
  ArtifactsAnswer,
  ArtifactsQuery,
  CrashesAnswer,
  DeletedArtifact,
  LinkParams,
  ProfileAnswer,
  ProjectHeader,
  ProjectQuery,
} from './schemas.js';

export const uploadSymbols = describe({
  id: 'uploadSymbolArtifact',
  tag: 'Crashes',
  summary: 'Upload a symbol file',
  details:
    'A 201 means that the file is durably stored. Uploading the same bytes for the same project, environment and names again returns the existing artifact.',
  query: ProjectQuery,
  headers: ProjectHeader,
  answers: { 201: { description: 'Stored.', schema: ArtifactAnswer } },
  failures: [
    'project_required',
    'missing_file',
    'incomplete_file',
    'invalid_kind',
    'invalid_environment',
    'file_too_large',
    'quota_exceeded',
    'permission_denied',
    'project_not_found',
    'storage_unavailable',
  ],
});

export const listSymbols = describe({
  id: 'listSymbolArtifacts',
  tag: 'Crashes',
  summary: 'List symbol files',
  query: ArtifactsQuery,
  headers: ProjectHeader,
  answers: { 200: { description: 'The newest artifacts.', schema: ArtifactsAnswer } },
  failures: ['project_required', 'invalid_kind', 'invalid_environment', 'project_not_found'],
});

export const deleteSymbols = describe({
  id: 'deleteSymbolArtifact',
  tag: 'Crashes',
  summary: 'Delete a symbol file',
  details:
    'Already symbolicated frames stay as they are. Ids that are unknown or belong to another organization are ignored.',
  params: ArtifactParams,
  answers: { 200: { description: 'Gone.', schema: DeletedArtifact } },
  failures: ['permission_denied'],
});

export const sendCrashes = describe({
  id: 'sendCrashEvents',
  tag: 'Crashes',
  summary: 'Store a crash event, or up to 1000',
  query: SentAt,
  answers: {
    200: { description: 'How many events were stored, and why others were rejected.', schema: CrashesAnswer },
  },
  failures: ['invalid_events'],
});

export const uploadProfile = describe({
  id: 'uploadProfile',
  tag: 'Crashes',
  summary: 'Store a profile',
  answers: { 202: { description: 'Stored.', schema: ProfileAnswer } },
  failures: ['invalid_profile'],
});

export const downloadObject = describe({
  id: 'downloadObject',
  tag: 'Crashes',
  summary: 'Download a file with a signed link',
  details: 'Get a link from `downloadUrl` of a symbol artifact or profile in GraphQL; it is valid for five minutes.',
  params: LinkParams,
  query: LinkQuery,
  answers: {
    200: {
      description: 'The file.',
      schema: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
      mediaType: 'application/octet-stream',
      cacheControl: ['private, no-store'],
      headers: { 'content-disposition': 'The name of the file.' },
    },
  },
  failures: ['invalid_link', 'artifact_not_found'],
});

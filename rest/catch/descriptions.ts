import { Type } from 'typebox';
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
    'A 201 means that the file is stored durably. The same bytes for the same place again answer the artifact that exists.',
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
  details: 'Frames that show its names keep them. Unknown ids and those of other organizations change nothing.',
  params: ArtifactParams,
  answers: { 200: { description: 'Gone.', schema: DeletedArtifact } },
  failures: ['permission_denied'],
});

export const sendCrashes = describe({
  id: 'sendCrashEvents',
  tag: 'Crashes',
  summary: 'Store a crash event, or up to 1000',
  answers: { 200: { description: 'How many were stored, and why others were not.', schema: CrashesAnswer } },
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
  summary: 'Download a file by a signed link',
  details: 'The GraphQL query `symbolDownloadUrl` makes such links; they hold for five minutes.',
  params: LinkParams,
  query: LinkQuery,
  answers: {
    200: {
      description: 'The file.',
      schema: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream' }),
      mediaType: 'application/octet-stream',
      cacheControl: ['private, no-store'],
      headers: { 'content-disposition': 'Its name.' },
    },
  },
  failures: ['invalid_link', 'artifact_not_found'],
});

import { describe } from '../openapi/description.js';
import { ArtifactAnswer, ProjectHeader, ProjectQuery } from './schemas.js';
import { AbandonedUpload, PartHeaders, PartParams, UploadAnswer, UploadParams } from './upload-schemas.js';

export const beginUpload = describe({
  id: 'beginSymbolUpload',
  tag: 'Crashes',
  summary: 'Begin to send a symbol file in parts',
  details:
    'For large files and lines that break: a part that was answered need not be sent again. The same file for the same place finds the upload that was begun.',
  query: ProjectQuery,
  headers: ProjectHeader,
  answers: {
    200: { description: 'The bytes are stored already.', schema: ArtifactAnswer },
    201: { description: 'The upload, with the parts that are there.', schema: UploadAnswer },
  },
  failures: [
    'invalid_upload',
    'project_required',
    'file_too_large',
    'quota_exceeded',
    'too_many_uploads',
    'permission_denied',
    'project_not_found',
  ],
});

export const getUpload = describe({
  id: 'getSymbolUpload',
  tag: 'Crashes',
  summary: 'Ask which parts are there',
  params: UploadParams,
  answers: { 200: { description: 'The upload.', schema: UploadAnswer } },
  failures: ['permission_denied', 'upload_not_found'],
});

export const putPart = describe({
  id: 'putSymbolUploadPart',
  tag: 'Crashes',
  summary: 'Send a part',
  details: 'In any order. A 200 means that the part is stored durably; the same part again changes nothing.',
  params: PartParams,
  headers: PartHeaders,
  answers: { 200: { description: 'The upload with the part.', schema: UploadAnswer } },
  failures: ['permission_denied', 'upload_not_found', 'invalid_part', 'checksum_mismatch', 'storage_unavailable'],
});

export const completeUpload = describe({
  id: 'completeSymbolUpload',
  tag: 'Crashes',
  summary: 'Make the file of its parts',
  details: 'A 201 means what it means for a file that is sent at once. The upload is gone then.',
  params: UploadParams,
  answers: { 201: { description: 'Stored.', schema: ArtifactAnswer } },
  failures: [
    'permission_denied',
    'upload_not_found',
    'parts_missing',
    'checksum_mismatch',
    'quota_exceeded',
    'storage_unavailable',
  ],
});

export const abandonUpload = describe({
  id: 'deleteSymbolUpload',
  tag: 'Crashes',
  summary: 'Give an upload in parts up',
  params: UploadParams,
  answers: { 200: { description: 'Gone, with its parts.', schema: AbandonedUpload } },
  failures: ['permission_denied', 'upload_not_found'],
});

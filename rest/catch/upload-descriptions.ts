import { describe } from '../openapi/description.js';
import { ArtifactAnswer, ProjectHeader, ProjectQuery } from './schemas.js';
import { AbandonedUpload, PartHeaders, PartParams, UploadAnswer, UploadParams } from './upload-schemas.js';

export const beginUpload = describe({
  id: 'beginSymbolUpload',
  tag: 'Crashes',
  summary: 'Start a multipart upload of a symbol file',
  details:
    'Use it for large files and unreliable connections: parts that were acknowledged need not be sent again. Starting the same file again returns the open upload.',
  query: ProjectQuery,
  headers: ProjectHeader,
  answers: {
    200: { description: 'The file is already stored.', schema: ArtifactAnswer },
    201: { description: 'The upload, with the parts received so far.', schema: UploadAnswer },
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
  summary: 'Get the parts received so far',
  params: UploadParams,
  answers: { 200: { description: 'The upload.', schema: UploadAnswer } },
  failures: ['permission_denied', 'upload_not_found'],
});

export const putPart = describe({
  id: 'putSymbolUploadPart',
  tag: 'Crashes',
  summary: 'Send a part',
  details: 'Send parts in any order. A 200 means that the part is durably stored; sending it again changes nothing.',
  params: PartParams,
  headers: PartHeaders,
  answers: { 200: { description: 'The upload, including this part.', schema: UploadAnswer } },
  failures: ['permission_denied', 'upload_not_found', 'invalid_part', 'checksum_mismatch', 'storage_unavailable'],
});

export const completeUpload = describe({
  id: 'completeSymbolUpload',
  tag: 'Crashes',
  summary: 'Complete the upload',
  details:
    'Assembles the parts into the file. A 201 means the same as for a single-request upload. The upload itself is removed.',
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
  summary: 'Cancel the upload',
  params: UploadParams,
  answers: { 200: { description: 'The upload and its parts were deleted.', schema: AbandonedUpload } },
  failures: ['permission_denied', 'upload_not_found'],
});

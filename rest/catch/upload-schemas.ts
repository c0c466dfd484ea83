import { type Static, Type } from 'typebox';
import {
  PART_BYTES,
  receivedBytes,
  type UploadProgress,
} from '../../src/modules/catch/symbols/resumable/upload-progress.js';
import type { SymbolArtifact } from '../../src/modules/catch/symbols/symbol-artifact.entity.js';
import { count, environment, flag, instant, text, uuid } from '../field-schemas.js';
import { artifactAnswer } from './bodies.js';
import { sha256, symbolKind, uploadNames } from './schemas.js';

/** What a client declares about a file before it sends the parts. */
export const AnnouncedFileBody = Type.Object({
  kind: symbolKind,
  file_name: text('libgame.so'),
  size_bytes: Type.Integer({ minimum: 1, description: 'Up to 512 MB.', examples: [104_857_600] }),
  sha256: Type.String({
    pattern: '^[0-9A-Fa-f]{64}$',
    description: 'Of the whole file, in hexadecimal.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  ...uploadNames,
});

const SymbolUploadSchema = Type.Object(
  {
    id: text('upl_4Rt5Yu6Io7'),
    project_id: uuid(),
    environment: environment(),
    kind: symbolKind,
    release: text('4.2.1'),
    file_name: text('libgame.so'),
    size_bytes: count(104_857_600),
    sha256: sha256('Of the whole file.'),
    part_bytes: count(PART_BYTES, 'Size of every part except the last.'),
    received_bytes: count(PART_BYTES),
    parts: Type.Array(
      Type.Object(
        { offset: count(0), size_bytes: count(PART_BYTES), sha256: sha256('Of the part.') },
        { $id: 'SymbolUploadPart' },
      ),
      { description: 'Parts received so far.' },
    ),
    expires_at: instant('One day after the last part.'),
  },
  { $id: 'SymbolUpload' },
);

export const UploadAnswer = Type.Object({ upload: SymbolUploadSchema });
export const UploadParams = Type.Object({ id: text('upl_4Rt5Yu6Io7', 'The upload.') });
export const PartParams = Type.Object({
  id: text('upl_4Rt5Yu6Io7', 'The upload.'),
  offset: count(0, 'Offset of the part in the file, a multiple of `part_bytes`.'),
});
export const PartHeaders = Type.Object({
  'content-digest': text(
    'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
    'The SHA-256 of the part, in RFC 9530 format.',
  ),
});
export const PartBody = Type.String({
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of the part.',
});
export const AbandonedUpload = Type.Object({ deleted: flag(true) });

export const uploadAnswer = ({ upload, parts }: UploadProgress): Static<typeof UploadAnswer> => ({
  upload: {
    id: upload.id,
    project_id: upload.projectId,
    environment: upload.environment,
    kind: upload.kind,
    release: upload.release,
    file_name: upload.originalName,
    size_bytes: Number(upload.sizeBytes),
    sha256: upload.sha256,
    part_bytes: PART_BYTES,
    received_bytes: receivedBytes(parts),
    parts: parts.map(({ position, sizeBytes, sha256: digest }) => ({
      offset: Number(position),
      size_bytes: sizeBytes,
      sha256: digest,
    })),
    expires_at: upload.expiresAt.toISOString(),
  },
});

/** An open upload, or the artifact that already has the bytes. */
export const beginAnswer = (result: UploadProgress | SymbolArtifact) =>
  'upload' in result ? { status: 201, body: uploadAnswer(result) } : { status: 200, body: artifactAnswer(result) };

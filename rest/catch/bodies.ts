import type { Static } from 'typebox';
import type { CrashCounts } from '../../src/modules/catch/crashes/reading/crash-slices.js';
import type { SymbolArtifact } from '../../src/modules/catch/symbols/symbol-artifact.entity.js';
import type { ArtifactAnswer, ArtifactsAnswer, CrashesAnswer } from './schemas.js';

export const artifactAnswer = (artifact: SymbolArtifact): Static<typeof ArtifactAnswer> => ({
  artifact: {
    id: artifact.id,
    project_id: artifact.projectId,
    environment: artifact.environment,
    kind: artifact.kind,
    release: artifact.release,
    match_key: artifact.matchKey,
    size_bytes: Number(artifact.sizeBytes),
    sha256: artifact.sha256,
    status: artifact.status,
    uploaded_at: artifact.uploadedAt.toISOString(),
    storage_path: artifact.storagePath,
    original_name: artifact.originalName,
  },
});

export const artifactsAnswer = (artifacts: SymbolArtifact[]): Static<typeof ArtifactsAnswer> => ({
  artifacts: artifacts.map((artifact) => ({
    id: artifact.id,
    kind: artifact.kind,
    release: artifact.release,
    match_key: artifact.matchKey,
    size_bytes: Number(artifact.sizeBytes),
    status: artifact.status,
    uploaded_at: artifact.uploadedAt.toISOString(),
  })),
});

export const crashesAnswer = ({ accepted, rejectReasons }: CrashCounts): Static<typeof CrashesAnswer> => ({
  accepted,
  rejected: rejectReasons.length,
  reject_reasons: rejectReasons.map(({ eventId, reason }) => ({ event_id: eventId, reason })),
});

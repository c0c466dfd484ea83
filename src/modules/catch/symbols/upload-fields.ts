import { isEnvironment } from '../../../kernel/actor.js';
import { keyText, storableText } from '../../../kernel/text.js';
import { isSymbolKind } from '../../../symbols/symbol-kinds.js';
import { catchFailure } from '../catch.errors.js';
import type { SymbolArtifact } from './symbol-artifact.entity.js';

export interface UploadFields {
  kind?: string | null;
  environment?: string | null;
  release?: string | null;
  matchKey?: string | null;
  commitSha?: string | null;
}

/** The same, validated and in stored form. */
export type CheckedFields = Pick<SymbolArtifact, 'kind' | 'environment' | 'release' | 'matchKey' | 'commitSha'>;

const MAX_NAME = 255;

/** Fails with `invalid_kind`, `invalid_environment`. */
export function checkUploadFields(fields: UploadFields): CheckedFields {
  if (!isSymbolKind(fields.kind)) throw catchFailure('invalid_kind');
  const environment = fields.environment || 'live';
  if (!isEnvironment(environment)) throw catchFailure('invalid_environment');
  return {
    kind: fields.kind,
    environment,
    release: storedField(fields.release),
    matchKey: storedField(fields.matchKey),
    commitSha: storedField(fields.commitSha) || null,
  };
}

/** A file name without folders and control characters; it is displayed and used in download headers, never as a path. */
export function harmlessName(name: string | null | undefined): string {
  const base =
    storableText(name ?? '')
      .split(/[/\\]/)
      .at(-1) ?? '';
  const plain = base
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"]/g, '_')
    .slice(0, MAX_NAME);
  return plain === '' || /^\.+$/.test(plain) ? 'unnamed' : plain;
}

/** A field of an upload as it is stored, and so as it is compared. */
export const storedField = (value: string | null | undefined): string => keyText(storableText(value ?? ''));

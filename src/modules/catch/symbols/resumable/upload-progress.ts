import { BODY_CAPS } from '../../../quotas/limits.js';
import type { SymbolUpload } from './symbol-upload.entity.js';
import type { SymbolUploadPart } from './symbol-upload-part.entity.js';

/** All parts except the last have this size. A connection failure costs one of them. */
export const PART_BYTES = BODY_CAPS.part;

export interface UploadProgress {
  upload: SymbolUpload;
  parts: SymbolUploadPart[];
}

/** The size of the part at an offset; null if no part starts there. */
export function partSizeAt(fileBytes: number, offset: number): number | null {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset >= fileBytes || offset % PART_BYTES !== 0) return null;
  return Math.min(PART_BYTES, fileBytes - offset);
}

export const receivedBytes = (parts: readonly SymbolUploadPart[]): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

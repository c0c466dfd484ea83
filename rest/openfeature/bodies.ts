import type { Static } from 'typebox';
import type { ManifestFlag } from '../../src/modules/switch/flags/flag-manifest.service.js';
import type { Answer } from '../face/send.js';
import type { ManifestAnswer } from './schemas.js';

/** The manifest; the header says that flags are changed elsewhere. */
export const manifestAnswer = (flags: readonly ManifestFlag[]): Answer => {
  const body: Static<typeof ManifestAnswer> = {
    flags: flags.map(({ key, type, description, defaultValue }) => ({ key, type, description, defaultValue })),
  };
  return { status: 200, body, headers: { 'x-manifest-capabilities': 'read' } };
};

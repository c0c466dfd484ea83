import { createHash } from 'node:crypto';
import { isPlatformClass } from '../retrace/platform-classes.js';
import { baseName, type CrashFrame } from './crash-frame.js';
import type { CrashPayload } from './crash-payload.js';

/** Deeper frames rarely distinguish two causes, but often split one. */
const GROUPED_FRAMES = 8;

/** What groups crashes into an issue, and how the issue is shown. */
export interface Grouping {
  fingerprint: string;
  culprit: string;
}

/**
 * Groups by the application's symbolicated frames: function, class and file, without lines, so that an edit elsewhere
 * in a file does not split an issue. Frames without symbols count by their offset in the image, and images by name,
 * because folders differ between devices.
 */
export function groupCrash(exceptionType: string | null, all: readonly CrashFrame[], payload: CrashPayload): Grouping {
  const own = all.filter(isOwn);
  const readable = own.filter(({ status }) => status === 'symbolicated' || status === 'unknown_class');
  const chosen = readable.length > 0 ? readable : own.length > 0 ? own : all;
  const frames = chosen.slice(0, GROUPED_FRAMES);
  const parts = frames.map(framePart);
  const type = exceptionType ?? '';
  const subject = parts.length > 0 ? parts : [stableText(payload.message ?? payload.exception?.value ?? '')];
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([type, ...subject]))
    .digest('hex');
  const [top] = frames;
  return { fingerprint, culprit: top === undefined ? '' : nameOf(top) };
}

/** If a Java frame does not say whether it is in the app, the platform's packages decide. */
const isOwn = ({ inApp, address, module }: CrashFrame): boolean =>
  inApp ?? (address !== null || module === null || !isPlatformClass(module));

function framePart({ status, address, module, function: name, file, place }: CrashFrame): string {
  if (address === null) return [module ?? '', name ?? '', file ?? ''].join('|');
  const image = baseName(module ?? '');
  return status === 'symbolicated' ? [image, name ?? '', file ?? ''].join('|') : (place ?? `${image}+`);
}

function nameOf(frame: CrashFrame): string {
  const owner = frame.module !== null && frame.file?.endsWith('.java') ? `${frame.module}.` : '';
  return `${owner}${frame.function ?? frame.address ?? ''}`.slice(0, 500);
}

/** Numbers and ids in messages vary between crashes. */
function stableText(text: string): string {
  return text.slice(0, 1_000).replace(/\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b/gi, '#');
}

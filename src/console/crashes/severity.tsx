import type { CrashLevel } from '#documents';
import { Tag, type Tone } from '../parts/tag.js';
import { capitalized } from '../parts/text.js';

const TONES: Readonly<Record<CrashLevel, Tone>> = {
  fatal: 'bad',
  error: 'warn',
  warning: 'plain',
  info: 'plain',
  debug: 'plain',
};

export function Severity({ level }: { level: CrashLevel }) {
  return <Tag tone={TONES[level]}>{capitalized(level)}</Tag>;
}

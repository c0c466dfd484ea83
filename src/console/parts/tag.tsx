import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'halt' | 'plain';

/** A word or two in the colour of their meaning; light enough for every row. */
export function Tag({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={title ? `tag tag-${tone} above` : `tag tag-${tone}`} title={title}>
      {children}
    </span>
  );
}

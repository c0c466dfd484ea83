import type { ReactNode } from 'react';

/** What a tag's colour says. */
export type Tone = 'good' | 'warn' | 'bad' | 'halt' | 'plain';

/** A word or two about a thing, in the colour of what they mean; light enough to stand in every row. */
export function Tag({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={title ? `tag tag-${tone} above` : `tag tag-${tone}`} title={title}>
      {children}
    </span>
  );
}

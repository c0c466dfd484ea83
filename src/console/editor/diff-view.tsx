import { lazy, Suspense } from 'react';
import { Waiting } from '../parts/states.js';

const CodeDiff = lazy(() => import('./code-diff.js'));

interface DiffViewProps {
  before: string;
  after: string;
  /** Says that the texts are the same. */
  same?: string;
}

/** Two texts as one diff: removals in red, additions in green. Loads the editor on first use. */
export function DiffView({ before, after, same = 'No differences.' }: DiffViewProps) {
  if (before === after) return <p className="soft">{same}</p>;
  return (
    <Suspense fallback={<Waiting />}>
      <CodeDiff before={before} after={after} />
    </Suspense>
  );
}

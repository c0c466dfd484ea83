import { lazy, Suspense } from 'react';
import { Waiting } from '../parts/states.js';

const CodeDiff = lazy(() => import('./code-diff.js'));

/** Two texts as one diff: removals in red, additions in green. Loads the editor on first use. */
export function DiffView({ before, after }: { before: string; after: string }) {
  if (before === after) return <p className="soft">No differences.</p>;
  return (
    <Suspense fallback={<Waiting />}>
      <CodeDiff before={before} after={after} />
    </Suspense>
  );
}

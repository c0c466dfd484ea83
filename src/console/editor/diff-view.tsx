import { lazy, Suspense } from 'react';
import { Waiting } from '../parts/states.js';

const CodeDiff = lazy(() => import('./code-diff.js'));

/** Two texts as one: what goes is red, what comes is green. The editor is loaded when the first one is shown. */
export function DiffView({ before, after }: { before: string; after: string }) {
  if (before === after) return <p className="soft">Nothing is different.</p>;
  return (
    <Suspense fallback={<Waiting />}>
      <CodeDiff before={before} after={after} />
    </Suspense>
  );
}

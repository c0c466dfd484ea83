import { IgnoreIssueDocument, type IssueRowFragment, ReopenIssueDocument } from '#documents';
import { useChange } from '../data/use-document.js';

/** Opens an issue as it was when it was last drawn: where it was ignored, it is for the rest of the time or of the events. */
export function useReopening(): (issue: IssueRowFragment, done?: string) => Promise<unknown> {
  const [reopen] = useChange(ReopenIssueDocument);
  const [ignore] = useChange(IgnoreIssueDocument);
  return ({ id, ignored, ignoredUntil: until, ignoredUntilCount, eventCount }, done) => {
    const events = ignoredUntilCount === null ? null : Number(ignoredUntilCount) - Number(eventCount);
    const isOver = (until !== null && Date.parse(until) <= Date.now()) || (events !== null && events < 1);
    return ignored && !isOver ? ignore({ input: { id, until, events } }, done) : reopen({ id }, done);
  };
}

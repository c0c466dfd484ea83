import './crashes.css';
import { Muted } from '../parts/text.js';

interface SourceLinesProps {
  context: {
    before: readonly string[];
    line: string;
    after: readonly string[];
    column: number | null;
    isGenerated: boolean | null;
  };
  /** The line of the crash, counted from 1. */
  line: number;
}

/** The source around a frame, with its line and column highlighted. */
export function SourceLines({ context: { before, line: text, after, column, isGenerated }, line }: SourceLinesProps) {
  const first = line - before.length;
  return (
    <>
      {isGenerated && <Muted size="xs">The code as it ran. No stored source map has its source.</Muted>}
      <ol className="source" start={first} style={{ counterReset: `line ${first - 1}` }}>
        {[...before, text, ...after].map((code, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their position
          <li key={at} aria-current={at === before.length ? 'true' : undefined}>
            <code>{at === before.length && column !== null ? <Marked text={code} at={column} /> : code || ' '}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

const Marked = ({ text, at }: { text: string; at: number }) => (
  <>
    {text.slice(0, at)}
    <mark>{text.slice(at, at + 1) || ' '}</mark>
    {text.slice(at + 1)}
  </>
);

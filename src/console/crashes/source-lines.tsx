import { Text } from '@mantine/core';
import './crashes.css';

interface SourceLinesProps {
  context: {
    before: readonly string[];
    line: string;
    after: readonly string[];
    column: number | null;
    isGenerated: boolean | null;
  };
  /** The number of the line it happened in, counted from 1. */
  line: number;
}

/** The source around the place of a frame; the line it happened in stands out, and the place within. */
export function SourceLines({ context: { before, line: text, after, column, isGenerated }, line }: SourceLinesProps) {
  const first = line - before.length;
  return (
    <>
      {isGenerated && (
        <Text size="xs" c="dimmed">
          The code as it ran: no stored source map holds its source.
        </Text>
      )}
      <ol className="source" start={first} style={{ counterReset: `line ${first - 1}` }}>
        {[...before, text, ...after].map((code, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are told apart by their place alone
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

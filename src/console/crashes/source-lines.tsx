import './crashes.css';

interface SourceLinesProps {
  context: { before: readonly string[]; line: string; after: readonly string[] };
  /** The number of the line it happened in, counted from 1. */
  line: number;
}

/** The source around the place of a frame; the line it happened in stands out. */
export function SourceLines({ context: { before, line: text, after }, line }: SourceLinesProps) {
  const first = line - before.length;
  return (
    <ol className="source" start={first} style={{ counterReset: `line ${first - 1}` }}>
      {[...before, text, ...after].map((code, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are told apart by their place alone
        <li key={at} aria-current={at === before.length ? 'true' : undefined}>
          <code>{code || ' '}</code>
        </li>
      ))}
    </ol>
  );
}

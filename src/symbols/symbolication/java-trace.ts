import { retraceLines } from '../retrace/retrace-text.js';
import { parseTraceLine } from '../retrace/trace-line.js';
import type { CrashFrame, CrashInput, ReportedFrame } from './crash-frame.js';
import { mappingOf, retracedStatus } from './java-frames.js';
import type { Missing, SymbolSource } from './symbol-source.js';

/** A script's position: a path, a URL, a column. */
const SCRIPT_PLACE = /[/\\]|:\d+$|^<anonymous>$/;
/** Parameters, which .NET prints in the same place, possibly none. */
const PARAMETERS = /^$|^(?!Native [Mm]ethod$|Unknown Source$)\S+ /;
/** The first line of a thread in a dump of all threads, of the JVM or Android. */
const THREAD = /^\s*"[^"]{0,200}".{0,200}? prio=\d/;
const NATIVE_FRAME = /^\s*native: #/;

/** Whether a text has at least one Java frame; V8 frames look the same except for their position. */
export function isJavaTrace(text: string): boolean {
  return text.split('\n', 200).some((line) => {
    const frame = parseTraceLine(line)?.frame;
    if (frame == null) return false;
    const place = line.slice(...frame.sourceFile);
    return !SCRIPT_PLACE.test(place) && (frame.line !== null || !PARAMETERS.test(place));
  });
}

type Status = Pick<CrashFrame, 'status' | 'reason'>;
type Ambiguous = Pick<CrashFrame, 'alternatives'>;

const NO_MAPPING: Status = { status: 'missing_symbol', reason: 'No mapping file is stored for this release.' };

/**
 * Rewrites a Java stack trace and reads its frames, of several threads those of the first; without a mapping the trace
 * stays unchanged.
 */
export async function resolveJavaTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: Missing,
): Promise<{ frames: CrashFrame[]; stacktrace: string }> {
  const mapping = await mappingOf(crash, source, missing);
  const lines = text.split('\n');
  const end = endOfFirstThread(lines);
  if (mapping === null) return { frames: numbered(readFrames(lines.slice(0, end), NO_MAPPING)), stacktrace: text };
  const retraced = retraceLines(mapping, text);
  const frames = retraced
    .slice(0, end)
    .flatMap(({ lines, frame }) =>
      frame === null ? [] : readFrames(lines, retracedStatus(frame.className, frame.result)),
    );
  return { frames: numbered(frames), stacktrace: retraced.flatMap(({ lines }) => lines).join('\n') };
}

/** The line where the second thread with frames begins, or the end. */
function endOfFirstThread(lines: readonly string[]): number {
  if (!lines.some((line) => THREAD.test(line))) return lines.length;
  let hasFrames = false;
  for (const [index, line] of lines.entries()) {
    if (hasFrames && THREAD.test(line)) return index;
    hasFrames ||= NATIVE_FRAME.test(line) || parseTraceLine(line)?.frame != null;
  }
  return lines.length;
}

const numbered = (frames: (ReportedFrame & Status & Ambiguous)[]): CrashFrame[] =>
  frames.map((frame, index) => ({ ...frame, reported: index, inlined: false }));

/** The frames of printed lines; those marked `<OR>` are alternatives to the previous one. */
function readFrames(lines: readonly string[], status: Status): (ReportedFrame & Status & Ambiguous)[] {
  const frames: (ReportedFrame & Status & Ambiguous)[] = [];
  for (const text of lines) {
    const line = parseTraceLine(text);
    if (line?.frame == null) continue;
    const place = {
      function: text.slice(...line.frame.method),
      file: text.slice(...line.frame.sourceFile) || null,
      line: line.frame.line,
      module: text.slice(...line.className),
    };
    const before = frames.at(-1);
    if (text.includes('<OR> ') && before !== undefined) {
      before.alternatives ??= [];
      before.alternatives.push(place);
    } else {
      frames.push({ ...place, column: null, address: null, inApp: null, ...status });
    }
  }
  return frames;
}

import { retraceText } from '../retrace/retrace-text.js';
import { parseTraceLine } from '../retrace/trace-line.js';
import type { CrashFrame, CrashInput, ReportedFrame } from './crash-frame.js';
import { mappingOf } from './java-frames.js';
import type { SymbolSource } from './symbol-source.js';

/** Whether a text has at least one frame as Java prints it. */
export function isJavaTrace(text: string): boolean {
  return text.split('\n', 200).some((line) => parseTraceLine(line)?.frame != null);
}

/** Rewrites a Java stack trace and reads its frames; without a mapping the trace stays as it is. */
export async function resolveJavaTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: (key: string, kind: string) => void,
): Promise<{ frames: CrashFrame[]; stacktrace: string }> {
  const mapping = await mappingOf(crash, source, missing);
  const stacktrace = mapping === null ? text : retraceText(mapping, text);
  const frames = readFrames(stacktrace).map((frame, index) => ({
    ...frame,
    status: mapping === null ? ('missing_symbol' as const) : ('symbolicated' as const),
    reason: mapping === null ? 'No mapping file is stored for this release.' : null,
    reported: index,
    inlined: false,
  }));
  return { frames, stacktrace };
}

/** The frames of a printed trace; alternatives marked `<OR>` are left out. */
function readFrames(trace: string): ReportedFrame[] {
  const frames: ReportedFrame[] = [];
  for (const text of trace.split('\n')) {
    const line = parseTraceLine(text);
    if (line?.frame == null || text.includes('<OR> ')) continue;
    frames.push({
      function: text.slice(...line.frame.method),
      file: text.slice(...line.frame.sourceFile) || null,
      line: line.frame.line,
      column: null,
      address: null,
      module: text.slice(...line.className),
      inApp: null,
    });
  }
  return frames;
}

import { isSystemImage } from '../system-image.js';
import { type AppleFrame, hex, parseAppleReport } from './apple-report.js';
import type { CrashFrame, CrashInput } from './crash-frame.js';
import { resolveNativeFrames } from './native-frames.js';
import type { Missing, SymbolSource } from './symbol-source.js';

/** Reads and resolves an Apple crash report, `.crash` or `.ips`; null for any other text. */
export async function resolveAppleTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: Missing,
): Promise<{ exceptionType: string | null; frames: CrashFrame[]; stacktrace: string } | null> {
  const report = parseAppleReport(text);
  if (report === null) return null;
  const paths = new Map(report.images.map(({ debugId, codeFile }) => [debugId?.toLowerCase(), codeFile ?? '']));
  const isOfSystem = (path: string) => isSystemImage(path, 'ios');
  const frames = report.frames.map(({ address, image, function: name }) => ({
    function: name,
    file: null,
    line: null,
    column: null,
    address: hex(address),
    module: image,
    inApp: !isOfSystem(report.images.find(({ codeFile }) => codeFile?.endsWith(`/${image}`))?.codeFile ?? ''),
  }));
  const exceptionType = crash.exceptionType ?? report.exceptionType;
  const { images, programCounter } = report;
  const resolved = await resolveNativeFrames(
    { ...crash, exceptionType, frames, images, programCounter },
    source,
    (id, kind) => {
      // No build includes the system's symbols.
      if (!isOfSystem(paths.get(id) ?? '')) missing(id, kind);
    },
  );
  return { exceptionType, frames: resolved, stacktrace: written(text, report.frames, resolved) };
}

/** The report with names instead of offsets; for JSON, the backtrace in the text format. */
function written(text: string, frames: readonly AppleFrame[], resolved: readonly CrashFrame[]): string {
  const lines: readonly string[] = text.split('\n');
  const byReported = Map.groupBy(resolved, ({ reported }) => reported);
  const backtrace = frames.map((frame, index) => {
    const own = byReported.get(index) ?? [];
    const start = `${String(index).padEnd(3)} ${frame.image.padEnd(30)} ${hex(frame.address)}`;
    const isNamed = own[0]?.status === 'symbolicated';
    return { frame, text: isNamed ? own.map((one) => `${start} ${placed(one)}`).join('\n') : start, isNamed };
  });
  const byLine = Map.groupBy(backtrace, ({ frame }) => frame.line);
  if (byLine.has(null))
    return backtrace
      .map(({ frame, text: shown, isNamed }) => (isNamed ? shown : `${shown} ${frame.function ?? '???'}`))
      .join('\n');
  return lines
    .map((line, index) => {
      const own = byLine.get(index) ?? [];
      return own.some(({ isNamed }) => isNamed) ? own.map(({ text: shown }) => shown).join('\n') : line;
    })
    .join('\n');
}

const placed = ({ function: name, file, line }: CrashFrame): string =>
  file === null || file === '' ? `${name}` : `${name} (${file}${line === null ? '' : `:${line}`})`;

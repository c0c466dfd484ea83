import { isScriptName } from '../source-map/script-path.js';
import { resolveAppleTrace } from './apple-trace.js';
import {
  type CrashFrame,
  type CrashInput,
  type ReportedFrame,
  type SymbolicatedCrash,
  unresolved,
} from './crash-frame.js';
import { resolveDartTrace } from './dart-trace.js';
import { resolveJavaFrames } from './java-frames.js';
import { isJavaTrace, resolveJavaTrace } from './java-trace.js';
import { resolveNativeFrames } from './native-frames.js';
import { resolveNativeTrace } from './native-trace.js';
import { resolveScriptFrames } from './script-frames.js';
import { resolveScriptTrace, scriptFrameOf } from './script-trace.js';
import type { Missing, SymbolSource } from './symbol-source.js';

const SCRIPT_PLATFORMS = new Set(['javascript', 'node', 'react-native', 'browser', 'web', 'hermes']);
const JAVA_PLATFORMS = new Set(['android', 'java', 'kotlin']);

/**
 * Symbolicates a crash. Frames with addresses are native, Java and script platforms have their own resolvers, and a raw
 * stack trace is parsed when the event has no frames.
 */
export async function symbolicate(crash: CrashInput, source: SymbolSource): Promise<SymbolicatedCrash> {
  const missing = new Map<string, string>();
  const note: Missing = (key, kind) => void missing.set(key, kind);
  const result =
    crash.frames.length > 0 ? await fromFrames(crash, source, note) : await fromRawTrace(crash, source, note);
  return { ...result, missing: [...missing].map(([key, kind]) => ({ key, kind })) };
}

type Resolved = Omit<SymbolicatedCrash, 'missing'>;

async function fromFrames(crash: CrashInput, source: SymbolSource, missing: Missing): Promise<Resolved> {
  const plain = { exceptionType: crash.exceptionType, stacktrace: null };
  if (crash.frames.some((frame) => frame.address !== null))
    return { ...plain, frames: await resolveNativeFrames(crash, source, missing) };
  const platform = crash.platform.toLowerCase();
  if (JAVA_PLATFORMS.has(platform)) {
    const resolved = await resolveJavaFrames(crash, source, missing);
    const text = crash.rawStacktrace;
    const stacktrace = text === null ? null : (await resolveJavaTrace(crash, text, source, missing)).stacktrace;
    return { ...resolved, stacktrace };
  }
  if (SCRIPT_PLATFORMS.has(platform) || crash.frames.some(isScriptFrame))
    return { ...plain, frames: await resolveScriptFrames(crash, source, missing) };
  return { ...plain, frames: crash.frames.map(asReported) };
}

/** Other platforms report original names. */
function asReported(frame: ReportedFrame, index: number): CrashFrame {
  return frame.function === null && frame.file === null
    ? unresolved(frame, index, 'malformed', 'A frame needs an address, or a function or a file.')
    : unresolved(frame, index, 'symbolicated', null);
}

async function fromRawTrace(crash: CrashInput, source: SymbolSource, missing: Missing): Promise<Resolved> {
  const text = crash.rawStacktrace;
  const plain = { exceptionType: crash.exceptionType, frames: [], stacktrace: null };
  if (text === null) return plain;
  const apple = await resolveAppleTrace(crash, text, source, missing);
  if (apple !== null) return apple;
  if (isScriptTrace(crash, text)) {
    const script = await resolveScriptTrace(crash, text, source, missing);
    if (script !== null) return { ...plain, ...script };
  }
  const dart = await resolveDartTrace(crash, text, source, missing);
  if (dart !== null) return { ...plain, ...dart };
  const native = await resolveNativeTrace(crash, text, source, missing);
  if (native !== null && !isJavaTrace(text)) return native;
  if (native !== null) return withJavaFrames(native, await resolveJavaTrace(crash, native.stacktrace, source, missing));
  if (!isJavaTrace(text)) return plain;
  const java = await resolveJavaTrace(crash, text, source, missing);
  const type = crash.exceptionType;
  const { exceptionType } = await resolveJavaFrames({ ...crash, frames: [] }, source, () => undefined);
  return { ...java, exceptionType: exceptionType ?? type };
}

/** Script and Java traces look alike; script platforms have no Java traces. */
const isScriptTrace = ({ platform }: CrashInput, text: string): boolean =>
  SCRIPT_PLATFORMS.has(platform.toLowerCase()) ||
  (!JAVA_PLATFORMS.has(platform.toLowerCase()) && !isJavaTrace(text) && text.split('\n', 200).some(isPlacedInScript));

const isPlacedInScript = (line: string): boolean => {
  const frame = scriptFrameOf(line);
  return frame !== null && isScriptFrame(frame);
};

/** A thread that called from Java into a library has both, native frames first. */
function withJavaFrames<Native extends { frames: CrashFrame[] }>(
  native: Native,
  java: { frames: CrashFrame[]; stacktrace: string },
): Native & { stacktrace: string } {
  const first = (native.frames.at(-1)?.reported ?? -1) + 1;
  const frames = java.frames.map((frame) => ({ ...frame, reported: frame.reported + first }));
  return { ...native, frames: [...native.frames, ...frames], stacktrace: java.stacktrace };
}

function isScriptFrame(frame: { file: string | null; column: number | null }): boolean {
  return frame.column !== null && isScriptName(frame.file ?? '');
}

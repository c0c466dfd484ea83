import { imageKeys } from '../match-key.js';
import { distinctAlternatives } from '../retrace/alternatives.js';
import type { Mapping } from '../retrace/mapping.js';
import { isPlatformClass } from '../retrace/platform-classes.js';
import {
  NO_CONTEXT,
  type RetraceContext,
  type RetracedFrame,
  type RetraceResult,
  retraceFrame,
} from '../retrace/retrace-frame.js';
import {
  type CrashFrame,
  type CrashInput,
  type FrameAlternative,
  type ReportedFrame,
  unresolved,
} from './crash-frame.js';
import type { Missing, SymbolSource } from './symbol-source.js';

/** R8 can be configured to put the id of its mapping into source file names. */
const MAP_ID_FILE = /^r8-map-id-([0-9a-f]+)$/i;

/**
 * The mapping of an event: by the id in a source file name, by a `proguard` image, or by release unless its id differs.
 */
export async function mappingOf(crash: CrashInput, source: SymbolSource, missing: Missing): Promise<Mapping | null> {
  const mapIds = [
    ...crash.frames.map((frame) => MAP_ID_FILE.exec(frame.file ?? '')?.[1]),
    /\br8-map-id-([0-9a-f]+)/i.exec(crash.rawStacktrace ?? '')?.[1],
  ].filter((id) => id !== undefined);
  const uuids = crash.images.flatMap(({ type, debugId }) => (type === 'proguard' && debugId !== null ? debugId : []));
  const keys = [...new Set([...mapIds, ...uuids].flatMap(imageKeys))];
  const byId = keys.length > 0 ? await source.mapping(keys) : null;
  const unlessId = mapIds.length > 0 ? 'map_id' : uuids.length > 0 ? 'uuid' : null;
  const mapping = byId ?? (await source.mapping([], unlessId));
  // The release's mapping may be from another build; the crash is symbolicated again when the right one arrives.
  if (byId === null) for (const key of keys) missing(key, 'android_mapping');
  if (mapping === null) missing(`@${crash.release ?? ''}`, 'android_mapping');
  return mapping;
}

/** Resolves Java and Kotlin frames: `module` is the obfuscated class, `function` the method. */
export async function resolveJavaFrames(
  crash: CrashInput,
  source: SymbolSource,
  missing: Missing,
): Promise<{ frames: CrashFrame[]; exceptionType: string | null }> {
  const mapping = await mappingOf(crash, source, missing);
  if (mapping === null) {
    const reason = 'No mapping file is stored for this release.';
    const frames = crash.frames.map((frame, index) => unresolved(frame, index, 'missing_symbol', reason));
    return { frames, exceptionType: crash.exceptionType };
  }
  let context: RetraceContext = { thrown: crash.exceptionType, outlineLine: null };
  const frames: CrashFrame[] = [];
  for (const [index, frame] of crash.frames.entries()) {
    const retraced = retraceOne(mapping, frame, index, context);
    frames.push(...retraced.frames);
    context = retraced.context;
  }
  const type = crash.exceptionType;
  return { frames, exceptionType: type === null ? null : (mapping.classByResidual(type)?.original ?? type) };
}

/** How well a mapping covers a frame of this class; platform classes are already readable. */
export function retracedStatus(className: string, result: RetraceResult | null): Pick<CrashFrame, 'status' | 'reason'> {
  if (result === null) {
    return isPlatformClass(className)
      ? { status: 'symbolicated', reason: null }
      : { status: 'unknown_class', reason: 'The mapping does not contain this class. It may be from another build.' };
  }
  const knowsMethod = result.alternatives[0]?.frames[0]?.signature !== null;
  return {
    status: 'symbolicated',
    reason: knowsMethod ? null : 'The mapping contains the class, but not this method.',
  };
}

function retraceOne(
  mapping: Mapping,
  frame: ReportedFrame,
  index: number,
  context: RetraceContext,
): { frames: CrashFrame[]; context: RetraceContext } {
  const { module, function: method } = frame;
  if (module === null || method === null) {
    const reason = 'A Java frame needs module (the class) and function (the method).';
    return { frames: [unresolved(frame, index, 'malformed', reason)], context: NO_CONTEXT };
  }
  const obfuscated = { className: module, method, sourceFile: frame.file ?? '', line: frame.line };
  const result = retraceFrame(mapping, obfuscated, context);
  const { status, reason } = retracedStatus(module, result);
  if (result === null) return { frames: [unresolved(frame, index, status, reason)], context: NO_CONTEXT };
  const [first, ...others] = distinctAlternatives(result.alternatives, frame.line);
  const placed = ({ className, method: name, sourceFile, line }: RetracedFrame): FrameAlternative => ({
    module: className,
    function: name,
    file: sourceFile,
    // Without a printed line, the lines of overloads are only their first ones.
    line: line !== null && line > 0 && !(result.ambiguous && frame.line === null) ? line : null,
  });
  const frames = (first?.frames ?? []).map((found, depth, all) => {
    const isOutermost = depth === all.length - 1;
    const alternatives = others.flatMap((other) =>
      other.frames.slice(depth, isOutermost ? undefined : depth + 1).map(placed),
    );
    return {
      ...frame,
      ...placed(found),
      ...(alternatives.length > 0 && { alternatives }),
      status,
      reason,
      reported: index,
      inlined: !isOutermost,
    };
  });
  return { frames, context: others.length === 0 ? (first?.context ?? result.context) : NO_CONTEXT };
}

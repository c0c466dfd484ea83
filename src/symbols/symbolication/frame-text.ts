import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';
import { reportedFrame } from './crash-payload.js';

type Nullable = 'function' | 'file' | 'line' | 'column' | 'address' | 'module' | 'inApp' | 'reason';

/** A frame as it is stored: without members that are null, and without the address where it stands with the reported frame. */
export type StoredFrame = Omit<CrashFrame, Nullable> & Partial<Pick<CrashFrame, Nullable>>;

/**
 * Writes frames without the addresses that were reported: those differ from process to process, without them crashes of one cause have
 * one text, however long.
 */
export function frameText(frames: readonly CrashFrame[], reported: readonly ReportedFrame[]): string {
  const text = JSON.stringify(
    frames.map((frame) => stored(frame, frame.address === reported[frame.reported]?.address ? null : frame.address)),
  );
  // Names come from symbol files, which may hold what no text of PostgreSQL can.
  return text.includes('\\u') ? JSON.stringify(JSON.parse(text), storable) : text;
}

/** The text in a twentieth of its bytes, in memory of their own; null when there is no frame. */
export function packFrames(text: string): Uint8Array | null {
  // What zlib returns lies in 64 KiB, all of which would be kept, and copied from thread to thread.
  return text === '[]' ? null : new Uint8Array(zstdCompressSync(text));
}

/** The text that {@link packFrames} took. */
export function unpackFrames(packed: Uint8Array | null): string {
  return packed === null ? '[]' : zstdDecompressSync(packed).toString();
}

/** The frames with what {@link frameText} left out. */
export function readStoredFrames(
  frames: readonly StoredFrame[],
  reported: readonly Partial<ReportedFrame>[],
): CrashFrame[] {
  return frames.map((frame) => {
    const address = frame.address === undefined ? reported[frame.reported]?.address : frame.address;
    return { ...frame, ...reportedFrame(frame), reason: frame.reason ?? null, address: address ?? null };
  });
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value;
}

function stored(frame: CrashFrame, address: string | null): StoredFrame {
  return {
    file: frame.file ?? undefined,
    line: frame.line ?? undefined,
    inApp: frame.inApp ?? undefined,
    column: frame.column ?? undefined,
    module: frame.module ?? undefined,
    reason: frame.reason ?? undefined,
    status: frame.status,
    address: address ?? undefined,
    context: frame.context,
    inlined: frame.inlined,
    function: frame.function ?? undefined,
    reported: frame.reported,
    signature: frame.signature,
    alternatives: frame.alternatives,
  };
}

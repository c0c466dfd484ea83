import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';
import { reportedFrame } from './crash-payload.js';

type Nullable = 'function' | 'file' | 'line' | 'column' | 'address' | 'module' | 'inApp' | 'reason';

/** A frame as stored: without null members, and without the address when the reported frame has it. */
export type StoredFrame = Omit<CrashFrame, Nullable> & Partial<Pick<CrashFrame, Nullable>>;

/**
 * Writes frames without their reported addresses, which vary between processes, so that crashes with the same cause
 * have the same text.
 */
export function frameText(frames: readonly CrashFrame[], reported: readonly ReportedFrame[]): string {
  const text = JSON.stringify(
    frames.map((frame) => stored(frame, frame.address === reported[frame.reported]?.address ? null : frame.address)),
  );
  // Names come from symbol files, which may contain characters that PostgreSQL text cannot.
  return text.includes('\\u') ? JSON.stringify(JSON.parse(text), storable) : text;
}

/** The text compressed to about a twentieth, in its own memory; null without frames. */
export function packFrames(text: string): Uint8Array | null {
  // zlib's result is a view into 64 KiB, all of which would be kept and copied between threads.
  return text === '[]' ? null : new Uint8Array(zstdCompressSync(text));
}

export function unpackFrames(packed: Uint8Array | null): string {
  return packed === null ? '[]' : zstdDecompressSync(packed).toString();
}

/** The frames, including what {@link frameText} left out. */
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

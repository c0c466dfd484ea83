import type { CrashFrame, ReportedFrame, SymbolicatedCrash } from './crash-frame.js';

/** A frame whose address may stand with the reported frame that it was made of. */
export type StoredFrame = Omit<CrashFrame, 'address'> & { address?: string | null };

/** A symbolicated crash with its frames as JSON text of {@link StoredFrame}s. */
export type WrittenCrash = Omit<SymbolicatedCrash, 'frames'> & { frames: string };

/**
 * Writes frames without the addresses that were reported: those differ from process to process, without them crashes of one cause have
 * one text, however long.
 */
export function frameText(frames: readonly CrashFrame[], reported: readonly ReportedFrame[]): string {
  return JSON.stringify(
    frames.map((frame) => (frame.address === reported[frame.reported]?.address ? withoutAddress(frame) : frame)),
  );
}

/** The frames with the addresses that {@link frameText} left out. */
export function withAddresses(frames: readonly StoredFrame[], reported: readonly ReportedFrame[]): CrashFrame[] {
  return frames.map((frame) => {
    const address = frame.address === undefined ? reported[frame.reported]?.address : frame.address;
    return { ...frame, address: address ?? null };
  });
}

function withoutAddress({ address: _, ...frame }: CrashFrame): StoredFrame {
  return frame;
}

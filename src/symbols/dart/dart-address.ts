import type { DartFrame, DartTrace } from './parse-dart-trace.js';

/** Addresses in the symbols file at which the VM's code starts. */
export interface DartSections {
  isolate: bigint | null;
  vm: bigint | null;
}

/**
 * A frame's address in its symbols file: from code symbol and offset, or from the absolute address and the load
 * address, or as computed by the VM.
 */
export function dartFileAddress(trace: DartTrace, frame: DartFrame, sections: DartSections): bigint | null {
  if (frame.symbol !== null) {
    const base = sections[frame.symbol.section];
    if (base !== null) return base + frame.symbol.offset;
  }
  if (frame.abs !== null && frame.abs !== 0n) {
    if (sections.isolate !== null && trace.isolateInstructions !== null && frame.abs >= trace.isolateInstructions)
      return sections.isolate + (frame.abs - trace.isolateInstructions);
    if (sections.vm !== null && trace.vmInstructions !== null && frame.abs >= trace.vmInstructions)
      return sections.vm + (frame.abs - trace.vmInstructions);
  }
  return frame.virt;
}

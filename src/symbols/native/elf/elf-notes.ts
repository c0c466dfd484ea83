import type { ElfHeader } from './elf-header.js';

const SHT_NOTE = 7;
const PT_NOTE = 4;
const NT_GNU_BUILD_ID = 3;
const LONGEST_BUILD_ID = 64;

/** The GNU build id in lowercase hex, from note sections or else note segments; null when there is none. */
export function readBuildId(bytes: Uint8Array, header: ElfHeader): string | null {
  for (const section of header.sections) {
    if (section.type !== SHT_NOTE) continue;
    const id = buildIdIn(bytes, section.offset, section.size);
    if (id) return id;
  }
  for (const segment of header.segments) {
    if (segment.type !== PT_NOTE) continue;
    const id = buildIdIn(bytes, segment.offset, segment.fileSize);
    if (id) return id;
  }
  return null;
}

function buildIdIn(bytes: Uint8Array, offset: number, size: number): string | null {
  const end = Math.min(bytes.length, offset + size);
  let at = offset;
  while (at + 12 <= end) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 12);
    const nameSize = view.getUint32(0, true);
    const descSize = view.getUint32(4, true);
    const name = at + 12;
    const desc = name + align4(nameSize);
    if (desc + descSize > end) return null;
    if (view.getUint32(8, true) === NT_GNU_BUILD_ID && nameSize === 4 && isGnu(bytes, name) && descSize > 0) {
      const id = bytes.subarray(desc, desc + Math.min(descSize, LONGEST_BUILD_ID));
      return Buffer.from(id).toString('hex');
    }
    at = desc + align4(descSize);
  }
  return null;
}

const align4 = (size: number): number => Math.ceil(size / 4) * 4;

function isGnu(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x47 && bytes[at + 1] === 0x4e && bytes[at + 2] === 0x55 && bytes[at + 3] === 0;
}

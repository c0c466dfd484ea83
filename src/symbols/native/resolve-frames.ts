import type { OpenTable, SourceFrame } from '../table/open-table.js';
import { type CrashCause, type LoadedImage, placeFrames } from './place-frames.js';

/** The result for a frame. `frames` are innermost first, and empty unless it is symbolicated. */
export interface ResolvedFrame {
  readonly status: 'symbolicated' | 'missing_symbol' | 'unknown_image' | 'malformed';
  /** A readable reason; null when symbolicated. */
  readonly reason: string | null;
  /** Index of the image that contains the address; −1 for none. */
  readonly image: number;
  readonly frames: readonly SourceFrame[];
}

/**
 * Resolves one stack, top frame first. `tableOf` returns an image's table by index (found by debug id and
 * architecture), or null when no symbols are stored. The lookup address is the table's image base plus the distance
 * from the image's load address; `image_vmaddr` from events is not used.
 */
export function resolveFrames(
  addresses: ReadonlyArray<string | null>,
  images: readonly LoadedImage[],
  cause: CrashCause,
  tableOf: (image: number) => OpenTable | null,
): ResolvedFrame[] {
  return placeFrames(addresses, images, cause).map((place) => {
    if (place.status !== 'placed') return { status: place.status, reason: place.reason, image: -1, frames: [] };
    const { image } = place;
    const table = tableOf(image);
    if (!table) return { status: 'missing_symbol', reason: 'No symbols are stored for the image.', image, frames: [] };
    const frames = table.lookup(table.imageBase + place.offset);
    if (frames.length > 0) return { status: 'symbolicated', reason: null, image, frames };
    return { status: 'missing_symbol', reason: 'The symbols do not cover this address.', image, frames };
  });
}

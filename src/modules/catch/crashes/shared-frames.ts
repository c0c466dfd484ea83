import { storableJson } from '../../../kernel/text.js';
import type { StoredFrame } from '../../../symbols/symbolication/frame-text.js';

/** Frames, and the JSON text that is stored for them. */
export interface ReadFrames {
  text: string;
  frames: readonly StoredFrame[];
}

/** How JSON writes what PostgreSQL's text cannot hold; names come from symbol files. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Reads the frames of the events of a claim, most of which share them with others. */
export class SharedFrames {
  private readonly known = new Map<string, ReadFrames>();

  read(text: string): ReadFrames {
    let read = this.known.get(text);
    if (read === undefined) {
      const given = JSON.parse(text) as StoredFrame[];
      const frames = UNSTORABLE.test(text) ? (storableJson(given) as StoredFrame[]) : given;
      read = { frames, text: frames === given ? text : JSON.stringify(frames) };
      this.known.set(text, read);
    }
    return read;
  }
}

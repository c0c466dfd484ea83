import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';
import { decodeCursor, encodeCursor } from '../../../kernel/paging.js';

/** The cursor of an event: its id, by which all pages are read, whichever way. */
export const cursorOf = ({ id }: { id: string }): string => encodeCursor([id]);

/** The id that a cursor holds. Fails with `invalid_cursor`. */
export function placeOf(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (!isUuid(id)) throw commonFailure('invalid_cursor');
  return id;
}

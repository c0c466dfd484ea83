import { isLongerThan, storableText } from '../../kernel/text.js';
import { planFailure } from './plan.errors.js';

const MAX_TITLE = 200;

/** A name or title from user input, made storable. Fails with `bad_title`. */
export function titleOf(text: string, field: string): string {
  const title = storableText(text);
  if (title.trim() === '' || isLongerThan(title, MAX_TITLE)) throw planFailure('bad_title', { field });
  return title;
}

const SLUG = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

const MAX_SLUG_LENGTH = 100;

/** Whether a text is a valid survey slug: lower-case words joined by `-` or `_`, not resembling an id (`psv_…`). */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && SLUG.test(text) && !text.startsWith('psv_');
}

/** The default slug for a survey's name; `survey` if the name has no Latin letter or digit. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? [])
    .join('-')
    .slice(0, MAX_SLUG_LENGTH - 8)
    .replace(/-+$/, '');
  return slug === '' ? 'survey' : slug;
}

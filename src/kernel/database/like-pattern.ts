/** The LIKE pattern of texts that begin with this one. */
export const startingWith = (text: string): string => `${literal(text)}%`;

/** The LIKE pattern of texts that contain this one. */
export const containing = (text: string): string => `%${literal(text)}%`;

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

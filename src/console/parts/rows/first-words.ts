const MOST = 300;

/** The part of a text that a row can show: browsers take a second to lay out a line of 256 KiB. */
export const firstWords = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST)}…`);

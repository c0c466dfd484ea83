const MOST = 300;

/** As much of a text as a row can show: browsers take a second to lay out a line of 256 KiB. */
export const firstWords = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST)}…`);

/** One colour a series, apart from each other in light and dark and for those who see no red. */
const COLOURS = ['deck.5', 'orange.6', 'teal.6', 'grape.6', 'gray.6', 'cyan.7'];

/** The colour of the nth series, as Mantine names it. */
export const seriesColour = (at: number): string => COLOURS[at % COLOURS.length] ?? 'deck.5';

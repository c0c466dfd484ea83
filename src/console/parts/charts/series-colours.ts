/** One colour per series, distinguishable in light and dark mode and with red-green colour blindness. */
const COLOURS = ['deck.5', 'orange.6', 'teal.6', 'grape.6', 'gray.6', 'cyan.7'];

/** The nth series' colour, by its Mantine name. */
export const seriesColour = (at: number): string => COLOURS[at % COLOURS.length] ?? 'deck.5';

/** What the answers to a question of yes or no are called, by their values as text. */
export const YES_OR_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

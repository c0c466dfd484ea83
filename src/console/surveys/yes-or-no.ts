/** The labels of yes/no answers, by their values as text. */
export const YES_OR_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

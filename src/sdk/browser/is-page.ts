/** Where pages are made on a server there is none: values are those of `bootstrap`, and nothing is asked, kept or sent. */
export const IS_PAGE = typeof document === 'object';

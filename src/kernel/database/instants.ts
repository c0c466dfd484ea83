import pg from 'pg';

const { TIMESTAMPTZ } = pg.types.builtins;
const DAY = 'yyyy-mm-dd'.length;

/** An instant as PostgreSQL writes it, as a column or within JSON. */
export function instantOf(written: string): Date {
  const instant = new Date(written[DAY] === 'T' ? written : isoOf(written));
  return Number.isNaN(instant.getTime()) ? asPgDoes(written) : instant;
}

const isoOf = (written: string): string =>
  `${written.slice(0, DAY)}T${written.endsWith('+00') ? `${written.slice(DAY + 1, -3)}Z` : written.slice(DAY + 1)}`;

/** Zones without minutes, and years of more than four digits. */
const asPgDoes = (written: string): Date => pg.types.getTypeParser(TIMESTAMPTZ)(written.replace('T', ' ')) as Date;

import pg from 'pg';

const { TIMESTAMPTZ } = pg.types.builtins;
const SECONDS = 'hh:mm:ss'.length;
const MILLISECONDS = 'hh:mm:ss.sss'.length;

/** Parsers of the database's values that leave instants as the text of {@link instantText}. */
export const INSTANTS_AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === TIMESTAMPTZ ? instantText : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * An instant as PostgreSQL writes it, as a column or within JSON, in the form of `Date.toISOString`: UTC with
 * milliseconds, finer digits cut off.
 */
export function instantText(written: string): string {
  const zone = written.endsWith('+00') ? 3 : written.endsWith('+00:00') ? 6 : 0;
  if (zone === 0 || written[10] !== (zone === 3 ? ' ' : 'T')) return dateOf(written).toISOString();
  const time = written.slice(11, -zone);
  return `${written.slice(0, 10)}T${time.length === MILLISECONDS ? time : inMilliseconds(time)}Z`;
}

const inMilliseconds = (time: string): string =>
  `${time}${time.length === SECONDS ? '.' : ''}000`.slice(0, MILLISECONDS);

/** Sessions in another zone, and years of more than four digits. */
function dateOf(written: string): Date {
  return pg.types.getTypeParser(TIMESTAMPTZ)(written.replace('T', ' ')) as Date;
}

/** Sets fields of a row. Unlike with `Object.assign`, each has to be one of the row's, and of its type. */
export function setFields<Row extends object, Name extends keyof Row>(row: Row, fields: Pick<Row, Name>): void {
  Object.assign(row, fields);
}

/** Sets fields of a row. Unlike `Object.assign`, it checks that each field exists and has the right type. */
export function setFields<Row extends object, Name extends keyof Row>(row: Row, fields: Pick<Row, Name>): void {
  Object.assign(row, fields);
}

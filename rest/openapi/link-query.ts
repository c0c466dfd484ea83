import { Type } from 'typebox';
import { text } from '../field-schemas.js';

/** The query parameters of a signed link to a file. */
export const LinkQuery = Type.Object({
  expires: text('1790000000', 'Unix time in seconds.'),
  name: text('app.js.map'),
  signature: text('k2b1l0'),
});

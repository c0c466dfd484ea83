import { Type } from 'typebox';
import { text } from '../field-schemas.js';

/** What a signed link to a file says after its path. */
export const LinkQuery = Type.Object({
  expires: text('1790000000', 'Seconds since 1970.'),
  name: text('app.js.map'),
  signature: text('k2b1l0'),
});

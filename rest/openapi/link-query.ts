import { Type } from 'typebox';
import { text } from '../field-schemas.js';

export const LinkQuery = Type.Object({
  expires: text('1790000000', 'Unix time in seconds.'),
  name: text('app.js.map'),
  signature: text('k2b1l0'),
});

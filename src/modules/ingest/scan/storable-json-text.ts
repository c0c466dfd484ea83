import { storableText } from '../../../kernel/text.js';

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

const storableToken = (token: string): string => {
  if (token.startsWith('"')) return token.includes('\\u') ? JSON.stringify(storableText(JSON.parse(token))) : token;
  if (token.length < 200 && !/e/i.test(token)) return token;
  const value = Number(token);
  return Number.isFinite(value) ? String(value) : 'null';
};

/**
 * JSON text with every string made storable and every number inside the range of a double: `1e400` becomes `null`, as
 * `JSON.stringify(JSON.parse(text))` would write it. Numbers without an exponent keep their digits.
 */
export const storableJsonText = (text: string): string => text.replace(TOKEN, storableToken);

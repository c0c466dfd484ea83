import { BUILTIN_TYPES, LITERAL_SUFFIXES } from './builtin-types.js';
import { type MangledText, plain, type TypeText, written } from './mangled-text.js';
import { OPERATOR_NAMES } from './operator-names.js';
import { readExpansion } from './pack-expansion.js';
import { NotDemangled } from './text-cursor.js';

const UNARY_OPERATORS = new Map([
  ['nt', '!'],
  ['ad', '&'],
  ['de', '*'],
  ['ng', '-'],
  ['co', '~'],
]);

/** The readers of types and encodings that template arguments need. */
export interface ArgumentReaders {
  type(text: MangledText): TypeText;
  encoding(text: MangledText): string;
}

/** `I <template-arg>+ E`. */
export function readTemplateArguments(text: MangledText, readers: ArgumentReaders): TypeText[] {
  text.expect('I');
  const list: TypeText[] = [];
  while (!text.accept('E')) {
    // The constraint of a constrained template is not written.
    if (text.accept('Q')) readExpression(text, readers);
    else list.push(text.nested(() => readArgument(text, readers, list)));
  }
  return list;
}

/** Written in angle brackets; packs are flattened. */
export function writtenArguments(list: readonly TypeText[]): string {
  const parts = list.map(written).filter((part) => part !== '');
  return `<${parts.join(', ')}>`;
}

function readArgument(text: MangledText, readers: ArgumentReaders, before: readonly TypeText[]): TypeText {
  if (text.peek() === 'L') return readLiteral(text, readers);
  if (text.accept('X')) {
    const expression = plain(readExpression(text, readers));
    text.expect('E');
    return expression;
  }
  if (text.accept('J')) {
    const pack: TypeText[] = [];
    while (!text.accept('E')) pack.push(text.nested(() => readArgument(text, readers, before)));
    return { left: '', right: '', shape: 'plain', pack };
  }
  if (text.peek() === 'T' && text.peek(1) === 'p' && text.peek(2) === 'T') text.pos += 2;
  if (text.peek() === 'T' && /[ny]/.test(text.peek(1))) {
    // The declaration of the argument's parameter, which is not written.
    const hasType = text.peek(1) === 'n';
    text.pos += 2;
    if (hasType) {
      const outer = text.templateArguments;
      text.templateArguments = before;
      readers.type(text);
      text.templateArguments = outer;
    }
    return readArgument(text, readers, before);
  }
  return readers.type(text);
}

/** `L <type> <value> E`, `L_Z <encoding> E`. */
function readLiteral(text: MangledText, readers: ArgumentReaders): TypeText {
  text.expect('L');
  if (text.accept('_Z')) {
    const name = readers.encoding(text);
    text.expect('E');
    return plain(name);
  }
  if (text.accept('Dn')) {
    text.accept('0');
    text.expect('E');
    return plain('nullptr');
  }
  const code = text.peek();
  const type = readers.type(text);
  let value = text.accept('n') ? '-' : '';
  while (/[0-9a-f]/.test(text.peek())) value += text.take();
  text.expect('E');
  if (code === 'b') return plain(value === '0' ? 'false' : 'true');
  const suffix = LITERAL_SUFFIXES.get(code);
  if (suffix !== undefined && BUILTIN_TYPES.has(code)) return plain(value + suffix);
  return plain(`(${written(type)})${value}`);
}

/** Expressions found in template arguments of real programs: literals, parameters, simple operators. */
export function readExpression(text: MangledText, readers: ArgumentReaders): string {
  return text.nested(() => {
    if (text.peek() === 'L') return written(readLiteral(text, readers));
    if (text.peek() === 'T' || text.peek() === 'S') {
      const known = text.substitutions.length;
      const type = written(readers.type(text));
      text.substitutions.length = known;
      return type;
    }
    if (text.accept('sp')) return written(readExpansion(text, () => plain(readExpression(text, readers))));
    if (text.accept('fp')) {
      const number = text.peek() === '_' ? '' : text.number();
      text.expect('_');
      return `fp${number}`;
    }
    if (text.accept('sZ')) return `sizeof...(${written(readers.type(text))})`;
    if (text.accept('st')) return `sizeof (${written(readers.type(text))})`;
    const unary = UNARY_OPERATORS.get(text.peek() + text.peek(1));
    if (unary !== undefined) {
      text.pos += 2;
      return unary + readExpression(text, readers);
    }
    if (text.accept('tl')) return `${written(readers.type(text))}{${readUntilEnd(text, readers)}}`;
    if (text.accept('cl')) {
      const callee = readExpression(text, readers);
      return `${callee}(${readUntilEnd(text, readers)})`;
    }
    if (text.accept('gs')) return `::${readExpression(text, readers)}`;
    if (text.accept('nw')) return readNew(text, readers);
    if (text.accept('cv')) return `(${written(readers.type(text))})(${readExpression(text, readers)})`;
    if (text.accept('srN')) throw new NotDemangled();
    if (text.accept('sr')) {
      if (!/[0-9]/.test(text.peek())) return `${written(readers.type(text))}::${readSimpleName(text, readers)}`;
      let scope = '';
      while (!text.accept('E')) scope += `${readSimpleName(text, readers)}::`;
      return scope + readSimpleName(text, readers);
    }
    if (/[0-9]/.test(text.peek())) return readSimpleName(text, readers);
    const operator = OPERATOR_NAMES.get(text.peek() + text.peek(1));
    if (operator === undefined || /[a-z]/.test(operator)) throw new NotDemangled();
    text.pos += 2;
    const left = readExpression(text, readers);
    return `(${left}) ${operator} (${readExpression(text, readers)})`;
  });
}

/** `nw <expression>* _ <type> [pi <expression>*] E`. */
function readNew(text: MangledText, readers: ArgumentReaders): string {
  const placement: string[] = [];
  while (!text.accept('_')) placement.push(readExpression(text, readers));
  const type = written(readers.type(text));
  const place = placement.length > 0 ? `(${placement.join(', ')})` : '';
  const initial = text.accept('pi') ? `(${readUntilEnd(text, readers)})` : '';
  if (initial === '') text.expect('E');
  return `new${place} ${type}${initial}`;
}

function readSimpleName(text: MangledText, readers: ArgumentReaders): string {
  const name = text.sourceName();
  return text.peek() === 'I' ? name + writtenArguments(readTemplateArguments(text, readers)) : name;
}

function readUntilEnd(text: MangledText, readers: ArgumentReaders): string {
  const list: string[] = [];
  while (!text.accept('E')) list.push(readExpression(text, readers));
  return list.join(', ');
}

import { STANDARD_CLASSES, STANDARD_NAMES } from './builtin-types.js';
import { type MangledText, plain, type TypeText, written } from './mangled-text.js';
import { OPERATOR_NAMES } from './operator-names.js';
import { elementOf } from './pack-expansion.js';
import { readTemplateArguments, writtenArguments } from './template-arguments.js';
import { NotDemangled } from './text-cursor.js';
import { readParameters, readType, type TypeReaders } from './type-reader.js';

/** A name and the facts its encoding needs. */
interface NameText {
  readonly text: string;
  readonly hasTemplateArguments: boolean;
  /** Constructors, destructors and conversions are encoded without a result type. */
  readonly hasNoResult: boolean;
  /** `const`, `volatile`, `&`, `&&` of a member function. */
  readonly qualifiers: string;
}

/** The mutually recursive readers of types, names and encodings. */
const READERS: TypeReaders = {
  type: (text) => readType(text, READERS),
  name: (text) => readName(text, true).text,
  encoding: (text) => readEncoding(text),
  substitution: (text) => readSubstitution(text),
};

const SPECIAL_NAMES: ReadonlyArray<readonly [string, string]> = [
  ['TV', 'vtable for '],
  ['TT', 'VTT for '],
  ['TI', 'typeinfo for '],
  ['TS', 'typeinfo name for '],
];

/** `<encoding>`: a function with its parameters, a variable, or a special name. */
export function readEncoding(text: MangledText): string {
  return text.nested(() => {
    for (const [code, words] of SPECIAL_NAMES) {
      if (text.accept(code)) return words + written(READERS.type(text));
    }
    if (text.accept('GV')) return `guard variable for ${READERS.name(text)}`;
    if (text.accept('TW')) return `thread-local wrapper routine for ${READERS.name(text)}`;
    if (text.accept('TH')) return `thread-local initialization routine for ${READERS.name(text)}`;
    if (/^T[hv]/.test(text.peek() + text.peek(1))) {
      text.pos++;
      const words = text.peek() === 'h' ? 'non-virtual thunk to ' : 'virtual thunk to ';
      readCallOffset(text);
      return words + readEncoding(text);
    }
    if (text.accept('Tc')) {
      readCallOffset(text);
      readCallOffset(text);
      return `covariant return thunk to ${readEncoding(text)}`;
    }
    const outer = text.templateArguments;
    const name = readName(text, false);
    if (atEnd(text)) return name.text;
    let result = '';
    let after = '';
    if (name.hasTemplateArguments && !name.hasNoResult) {
      const type = READERS.type(text);
      result = type.right === '' && !type.left.endsWith(' ') ? `${type.left} ` : type.left;
      after = type.right;
    }
    const parameters = readParameters(text, READERS, () => atEnd(text));
    text.templateArguments = outer;
    return `${result}${name.text}(${parameters})${after}${name.qualifiers}`;
  });
}

function atEnd(text: MangledText): boolean {
  return text.pos >= text.text.length || /[E.@Q]/.test(text.peek());
}

function readCallOffset(text: MangledText): void {
  const isVirtual = text.take() === 'v';
  text.accept('n');
  text.number();
  text.expect('_');
  if (!isVirtual) return;
  text.accept('n');
  text.number();
  text.expect('_');
}

/** `<name>`. `inType`: the encoding's types do not refer to its template arguments. */
function readName(text: MangledText, inType: boolean): NameText {
  return text.nested(() => {
    if (text.peek() === 'N') return readNested(text, inType);
    if (text.peek() === 'Z') return readLocal(text, inType);
    let name = '';
    if (text.peek() === 'S' && text.peek(1) !== 't') name = written(readSubstitution(text, true));
    else {
      const isStandard = text.accept('St');
      name = (isStandard ? 'std::' : '') + readUnqualified(text, '').text;
      if (text.peek() === 'I') text.remember(plain(name));
    }
    if (text.peek() !== 'I') return { text: name, hasTemplateArguments: false, hasNoResult: false, qualifiers: '' };
    const list = readTemplateArguments(text, READERS);
    if (!inType) text.templateArguments = list;
    const hasNoResult = /(^|::)operator [^(]/.test(name) && !/operator (new|delete|co_await)/.test(name);
    return { text: name + writtenArguments(list), hasTemplateArguments: true, hasNoResult, qualifiers: '' };
  });
}

/** `N [qualifiers] <prefix> <unqualified name> E`. */
function readNested(text: MangledText, inType: boolean): NameText {
  text.expect('N');
  const isRestrict = text.accept('r');
  const isVolatile = text.accept('V');
  const isConst = text.accept('K');
  const reference = text.accept('R') ? ' &' : text.accept('O') ? ' &&' : '';
  const qualifiers = `${isConst ? ' const' : ''}${isVolatile ? ' volatile' : ''}${isRestrict ? ' restrict' : ''}${reference}`;
  let scope = '';
  let base = '';
  let hasTemplateArguments = false;
  let hasNoResult = false;
  while (!text.accept('E')) {
    if (text.peek() === 'I') {
      const list = readTemplateArguments(text, READERS);
      if (!inType) text.templateArguments = list;
      scope += writtenArguments(list);
      hasTemplateArguments = true;
      if (text.peek() !== 'E') text.remember(plain(scope));
      continue;
    }
    hasTemplateArguments = false;
    if (text.peek() === 'S') {
      const found = readSubstitution(text, true);
      scope = written(found);
      if (/[CD]/.test(text.peek())) scope = STANDARD_CLASSES.get(scope) ?? scope;
      base = lastComponent(scope);
      continue;
    }
    if (text.peek() === 'T' || (text.peek() === 'D' && /[tT]/.test(text.peek(1)))) {
      scope = written(READERS.type(text));
      base = lastComponent(scope);
      continue;
    }
    const part = readUnqualified(text, base);
    scope = scope === '' ? part.text : `${scope}::${part.text}`;
    base = part.base;
    hasNoResult = part.hasNoResult;
    if (text.peek() !== 'E') text.remember(plain(scope));
  }
  return { text: scope, hasTemplateArguments, hasNoResult, qualifiers };
}

/** `Z <encoding> E <entity name> [discriminator]`. */
function readLocal(text: MangledText, inType: boolean): NameText {
  text.expect('Z');
  const outer = text.templateArguments;
  const scope = readEncoding(text);
  text.expect('E');
  if (text.accept('s')) {
    skipDiscriminator(text);
    return { text: `${scope}::string literal`, hasTemplateArguments: false, hasNoResult: false, qualifiers: '' };
  }
  if (text.accept('d')) {
    if (text.peek() !== '_') text.number();
    text.expect('_');
  }
  if (inType) text.templateArguments = outer;
  const name = readName(text, inType);
  skipDiscriminator(text);
  return { ...name, text: `${scope}::${name.text}` };
}

function skipDiscriminator(text: MangledText): void {
  if (text.accept('__')) {
    text.number();
    text.expect('_');
  } else if (text.peek() === '_' && /[0-9]/.test(text.peek(1))) text.pos += 2;
}

/** One component. `base`: name of the enclosing class, for constructors. */
function readUnqualified(text: MangledText, base: string): { text: string; base: string; hasNoResult: boolean } {
  text.accept('L');
  const next = text.peek();
  let name = '';
  let hasNoResult = false;
  if (/[0-9]/.test(next)) name = text.sourceName();
  else if (next === 'C' && base !== '') {
    text.pos++;
    if (text.accept('I')) {
      text.pos++;
      READERS.type(text);
    } else text.pos++;
    name = base;
    hasNoResult = true;
  } else if (next === 'D' && /[0-5]/.test(text.peek(1)) && base !== '') {
    text.pos += 2;
    name = `~${base}`;
    hasNoResult = true;
  } else if (text.accept('Ut')) name = `'unnamed${readClosureNumber(text)}'`;
  else if (text.accept('Ul')) {
    const { isInLambda } = text;
    text.isInLambda = true;
    const parameters = readParameters(text, READERS, () => text.peek() === 'E');
    text.isInLambda = isInLambda;
    text.expect('E');
    name = `'lambda${readClosureNumber(text)}'(${parameters})`;
  } else if (text.accept('cv')) {
    name = `operator ${readConversion(text)}`;
    hasNoResult = true;
  } else if (text.accept('li')) name = `operator"" ${text.sourceName()}`;
  else {
    const operator = OPERATOR_NAMES.get(next + text.peek(1));
    if (operator === undefined) throw new NotDemangled();
    text.pos += 2;
    name = `operator${operator}`;
  }
  let tags = '';
  while (text.accept('B')) tags += `[abi:${text.sourceName()}]`;
  return { text: name + tags, base: name, hasNoResult };
}

/** The target type of a conversion. If it refers to template arguments, which follow it, it is read twice. */
function readConversion(text: MangledText): string {
  const { pos, templateArguments, isInConversion } = text;
  const known = text.substitutions.length;
  text.isInConversion = true;
  let type = READERS.type(text);
  if (text.peek() === 'I') {
    text.isInConversion = isInConversion;
    text.templateArguments = readTemplateArguments(text, READERS);
    text.isInConversion = true;
    text.pos = pos;
    text.substitutions.length = known;
    type = READERS.type(text);
  }
  text.isInConversion = isInConversion;
  text.templateArguments = templateArguments;
  return written(type);
}

function readClosureNumber(text: MangledText): string {
  const digits = /[0-9]/.test(text.peek()) ? String(text.number()) : '';
  text.expect('_');
  return digits;
}

/** `bare`: without the following template arguments, which the caller reads. */
function readSubstitution(text: MangledText, bare = false): TypeText {
  text.expect('S');
  const standard = STANDARD_NAMES.get(text.peek());
  let found: TypeText | undefined;
  if (standard !== undefined) {
    text.pos++;
    found = plain(standard);
  } else found = text.substitutions[text.sequence()];
  if (found === undefined) throw new NotDemangled();
  found = elementOf(text, found);
  if (bare || text.peek() !== 'I') return found;
  const list = readTemplateArguments(text, READERS);
  return text.remember(plain(written(found) + writtenArguments(list)));
}

/** The last name of a scope, without template arguments. */
function lastComponent(scope: string): string {
  let depth = 0;
  let plainText = '';
  for (const character of scope) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    else if (depth === 0) plainText += character;
  }
  return plainText.slice(plainText.lastIndexOf('::') + 1).replace(/^:/, '');
}

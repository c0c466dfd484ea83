import { BUILTIN_D_TYPES, BUILTIN_TYPES } from './builtin-types.js';
import { type MangledText, plain, type TypeText, written } from './mangled-text.js';
import { elementOf, readExpansion } from './pack-expansion.js';
import { type ArgumentReaders, readExpression, readTemplateArguments, writtenArguments } from './template-arguments.js';
import { NotDemangled } from './text-cursor.js';

/** The name reader that types need. */
export interface TypeReaders extends ArgumentReaders {
  name(text: MangledText): string;
  /** `S_`, `S0_`, `St…`; with the template arguments that follow, if any. */
  substitution(text: MangledText): TypeText;
}

/** `<type>` (Itanium C++ ABI, 5.1.5). */
export function readType(text: MangledText, readers: TypeReaders): TypeText {
  return text.nested(() => {
    const code = text.peek();
    const builtin = BUILTIN_TYPES.get(code);
    if (builtin !== undefined) {
      text.pos++;
      return plain(builtin);
    }
    switch (code) {
      case 'r':
      case 'V':
      case 'K':
        return qualified(text, readers);
      case 'P':
        text.pos++;
        return text.remember(pointed(readers.type(text), '*'));
      case 'R':
        text.pos++;
        return text.remember(pointed(readers.type(text), '&'));
      case 'O':
        text.pos++;
        return text.remember(pointed(readers.type(text), '&&'));
      case 'F':
        return text.remember(readFunctionType(text, readers, ''));
      case 'A':
        return text.remember(readArray(text, readers));
      case 'M':
        return text.remember(readMemberPointer(text, readers));
      case 'T':
        return readTemplateParameter(text, readers);
      case 'D':
        return readDType(text, readers);
      case 'U': {
        text.pos++;
        const qualifier = text.sourceName();
        const type = readers.type(text);
        return text.remember({ ...type, left: `${type.left} ${qualifier}` });
      }
      case 'u':
        text.pos++;
        return text.remember(plain(text.sourceName()));
      case 'S':
        if (text.peek(1) !== 't') return readers.substitution(text);
        return text.remember(plain(readers.name(text)));
      default:
        return text.remember(plain(readers.name(text)));
    }
  });
}

function qualified(text: MangledText, readers: TypeReaders): TypeText {
  const isRestrict = text.accept('r');
  const isVolatile = text.accept('V');
  const isConst = text.accept('K');
  const qualifiers = (isConst ? ' const' : '') + (isVolatile ? ' volatile' : '') + (isRestrict ? ' restrict' : '');
  if (text.peek() === 'F') return text.remember(readFunctionType(text, readers, qualifiers));
  const type = readers.type(text);
  if (type.pack) return type;
  return text.remember(
    type.shape === 'function' ? { ...type, right: type.right + qualifiers } : { ...type, left: type.left + qualifiers },
  );
}

function pointed(type: TypeText, mark: string): TypeText {
  if (type.pack) return { ...type, pack: type.pack.map((each) => pointed(each, mark)) };
  if (type.shape === 'plain') return collapsed(type, mark);
  const left = type.left.endsWith(' ') ? type.left : `${type.left} `;
  const right = type.shape === 'array' ? `) ${type.right.trimStart()}` : `)${type.right}`;
  return { left: `${left}(${mark}`, right, shape: 'plain' };
}

/** A reference to a reference (through a template argument) collapses into one. */
function collapsed(type: TypeText, mark: string): TypeText {
  if (mark !== '*' && type.left.endsWith('&')) {
    const base = type.left.replace(/&+$/, '');
    const both = mark === '&&' && type.left.endsWith('&&');
    return { ...type, left: base + (both ? '&&' : '&') };
  }
  return { ...type, left: type.left + mark };
}

/** `F [Y] <return type> <parameter types> [R|O] E`. */
function readFunctionType(text: MangledText, readers: TypeReaders, qualifiers: string): TypeText {
  const noexceptMark = text.accept('Do') ? ' noexcept' : '';
  text.expect('F');
  text.accept('Y');
  const result = readers.type(text);
  const parameters = readParameters(text, readers, () => /^(E|RE|OE)/.test(text.text.slice(text.pos, text.pos + 2)));
  const reference = text.accept('R') ? ' &' : text.accept('O') ? ' &&' : '';
  text.expect('E');
  return {
    left: `${result.left} `,
    right: `(${parameters})${qualifiers}${reference}${noexceptMark}${result.right}`,
    shape: 'function',
  };
}

/** Parameter types until `atEnd` holds; a single void counts as none. */
export function readParameters(text: MangledText, readers: ArgumentReaders, atEnd: () => boolean): string {
  const parameters: string[] = [];
  while (!atEnd()) {
    const parameter = written(readers.type(text));
    if (parameter !== '') parameters.push(parameter);
  }
  return parameters.length === 1 && parameters[0] === 'void' ? '' : parameters.join(', ');
}

function readArray(text: MangledText, readers: TypeReaders): TypeText {
  text.expect('A');
  let size = '';
  if (/[0-9]/.test(text.peek())) size = String(text.number());
  else if (text.peek() !== '_') size = readExpression(text, readers);
  text.expect('_');
  const element = readers.type(text);
  const inner = element.shape === 'array' ? element.right.trimStart() : element.right;
  return { left: element.left, right: ` [${size}]${inner}`, shape: 'array' };
}

function readMemberPointer(text: MangledText, readers: TypeReaders): TypeText {
  text.expect('M');
  const owner = written(readers.type(text));
  const member = readers.type(text);
  if (member.shape === 'function')
    return { left: `${member.left}(${owner}::*`, right: `)${member.right}`, shape: 'plain' };
  return { left: `${member.left} ${owner}::*`, right: member.right, shape: 'plain' };
}

/** `T_`, `T0_`, …: also a substitution candidate, under its resolved text. */
function readTemplateParameter(text: MangledText, readers: TypeReaders): TypeText {
  text.expect('T');
  if (/[sue]/.test(text.peek())) {
    text.pos++;
    return text.remember(plain(readers.name(text)));
  }
  const isOfConstraint = text.accept('L');
  if (isOfConstraint) {
    text.number();
    text.expect('_');
  }
  const index = text.sequence();
  let argument: TypeText | undefined =
    text.isInLambda || isOfConstraint ? plain('auto') : text.templateArguments[index];
  if (argument === undefined && text.isInConversion) argument = plain('auto');
  if (argument === undefined) throw new NotDemangled();
  text.remember(argument);
  argument = elementOf(text, argument);
  if (text.peek() !== 'I' || text.isInConversion) return argument;
  const list = readTemplateArguments(text, readers);
  return text.remember(plain(written(argument) + writtenArguments(list)));
}

function readDType(text: MangledText, readers: TypeReaders): TypeText {
  if (text.peek(1) === 'o') return text.remember(readFunctionType(text, readers, ''));
  text.pos++;
  const code = text.take();
  const builtin = BUILTIN_D_TYPES.get(code);
  if (builtin !== undefined) return plain(builtin);
  if (code === 'p') return text.remember(readExpansion(text, () => readers.type(text)));
  if (code === 't' || code === 'T') {
    const expression = readExpression(text, readers);
    text.expect('E');
    return text.remember(plain(`decltype(${expression})`));
  }
  if (code === 'F') {
    const bits = text.number();
    text.expect('_');
    return plain(`_Float${bits}`);
  }
  if (code === 'v') {
    const size = String(text.number());
    text.expect('_');
    const element = written(readers.type(text));
    return text.remember(plain(`${element} vector[${size}]`));
  }
  throw new NotDemangled();
}

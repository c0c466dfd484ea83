import { NotDemangled } from '../text-cursor.js';
import { mark, type SwiftNode, type } from './swift-node.js';
import type { SwiftText } from './swift-text.js';
import {
  associatedName,
  functionType,
  genericParameter,
  parameterName,
  popContext,
  popName,
  popProtocol,
} from './swift-types.js';

const ACCESSORS: ReadonlyMap<string, string> = new Map([
  ['g', 'getter'],
  ['s', 'setter'],
  ['w', 'willset'],
  ['W', 'didset'],
  ['r', 'read'],
  ['M', 'modify'],
  ['m', 'materializeForSet'],
  ['au', 'unsafeMutableAddressor'],
  ['lu', 'unsafeAddressor'],
]);

const OPERATOR_CHARACTERS = '& @/= >    <*!|+?%-~   ^ .';

const THUNKS: ReadonlyMap<string, string> = new Map([
  ['o', '@objc '],
  ['O', '@nonobjc '],
  ['D', 'dynamic '],
  ['m', 'merged '],
  ['j', 'dispatch thunk of '],
  ['q', 'method descriptor for '],
  ['u', 'async function pointer to '],
  ['A', 'partial apply forwarder for '],
  ['a', 'partial apply ObjC forwarder for '],
]);

/** Reads a declaration operator and pushes its result; false for any other letter. */
export function readEntityOperator(text: SwiftText, letter: string): boolean {
  switch (letter) {
    case 'F':
      text.push(plainFunction(text));
      return true;
    case 'f':
      text.push(functionEntity(text));
      return true;
    case 'v': {
      const written = text.pop('type').text;
      const name = popName(text);
      text.push(variable(text, `${outermost(popContext(text))}.${name}`, written));
      return true;
    }
    case 'i': {
      const of = text.pop('type');
      const labels = popLabels(text, of);
      text.push(variable(text, `${outermost(popContext(text))}.subscript`, withLabels(of, labels)));
      return true;
    }
    case 'Z':
      text.push(entity(`static ${text.pop('entity').text}`));
      return true;
    case 'E':
      text.push(extension(text));
      return true;
    case 'L':
      text.push(localName(text));
      return true;
    case 'o':
      text.push({ kind: 'name', text: operatorName(text) });
      return true;
    case 'u': {
      const signature = text.pop('signature').text;
      const of = text.pop('type');
      text.push({ ...of, text: `${signature} ${of.text}`, name: signature });
      return true;
    }
    case 'l':
      text.push(signature(text, [1]));
      return true;
    case 'r':
      text.push(signature(text, parameterCounts(text)));
      return true;
    case 'R':
      text.push({ kind: 'requirement', text: requirement(text) });
      return true;
    case 'Y':
      readAnnotation(text);
      return true;
    case 'T':
      readThunk(text);
      return true;
    case 'M':
      text.push(entity(`${metadata(text)} for ${text.pop('type').text}`));
      return true;
    case 'K':
    case 'y':
    case 'd':
    case '_':
      text.push(mark(letter));
      return true;
    default:
      return false;
  }
}

const entity = (text: string): SwiftNode => ({ kind: 'entity', text });

/** Names inside a function are written before it, names in a module or type after it. */
function within(context: SwiftNode, declaration: string): string {
  return context.kind === 'entity' ? `${declaration} in ${context.text}` : `${context.text}.${declaration}`;
}

function plainFunction(text: SwiftText): SwiftNode {
  const generic = text.popIf('signature')?.text ?? '';
  const of = functionType(text, '');
  const labels = popLabels(text, of);
  const name = popName(text);
  const blank = /#\d+$/.test(name) ? ' ' : '';
  return entity(within(popContext(text), `${name}${blank}${generic}${withLabels(of, labels)}`));
}

/** One label per parameter, no labels, or a mark that there are none. */
function popLabels(text: SwiftText, of: SwiftNode): string[] {
  const empty = text.popIf('mark');
  if (empty !== null) {
    if (empty.text === 'y') return [];
    text.push(empty);
  }
  const labels: string[] = [];
  for (let count = of.parameters?.length ?? 0; count > 0; count--) {
    const label = text.pop('identifier', 'mark');
    if (label.kind === 'mark' && label.text !== '_') throw new NotDemangled();
    labels.unshift(label.text);
  }
  return labels.every((label) => label === '_') ? [] : labels;
}

function withLabels(of: SwiftNode, labels: readonly string[]): string {
  const { parameters } = of;
  if (parameters === undefined) throw new NotDemangled();
  if (labels.length === 0) return of.text;
  const plain = `(${parameters.join(', ')})`;
  const start = of.text.indexOf(plain);
  if (start < 0) throw new NotDemangled();
  const labelled = parameters.map((one, at) => `${labels[at]}: ${one}`).join(', ');
  return `${of.text.slice(0, start)}(${labelled})${of.text.slice(start + plain.length)}`;
}

/** After `f`: constructors, destructors, closures, defaults. */
function functionEntity(text: SwiftText): SwiftNode {
  const letter = text.take();
  switch (letter) {
    case 'D': {
      const context = popContext(text);
      return entity(`${context.text}.${context.shape === 'class' ? '__deallocating_deinit' : 'deinit'}`);
    }
    case 'd':
      return entity(`${popContext(text).text}.deinit`);
    case 'E':
      return entity(`${popContext(text).text}.__ivar_destroyer`);
    case 'e':
      return entity(`${popContext(text).text}.__ivar_initializer`);
    case 'C':
    case 'c': {
      const of = text.pop('type');
      const labels = popLabels(text, of);
      const context = popContext(text);
      const name = letter === 'C' && context.shape === 'class' ? '__allocating_init' : 'init';
      const written = of.name?.startsWith('<')
        ? withLabels(of, labels).replace(`${of.name} `, of.name)
        : withLabels(of, labels);
      return entity(`${context.text}.${name}${written}`);
    }
    case 'U':
    case 'u': {
      const number = text.index() + 1;
      const of = text.pop('type').text;
      return entity(`${letter === 'U' ? '' : 'implicit '}closure #${number} ${of} in ${popContext(text).text}`);
    }
    case 'A':
      return entity(`default argument ${text.index()} of ${popContext(text).text}`);
    case 'i':
      return entity(`variable initialization expression of ${text.pop('entity').text}`);
    default:
      throw new NotDemangled();
  }
}

/** Non-functions inside a function are not supported. */
function outermost(context: SwiftNode): string {
  if (context.kind === 'entity') throw new NotDemangled();
  return context.text;
}

function variable(text: SwiftText, name: string, of: string): SwiftNode {
  const letter = text.take();
  if (letter === 'p') return entity(`${name} : ${of}`);
  const accessor = ACCESSORS.get(letter) ?? ACCESSORS.get(letter + text.take());
  if (accessor === undefined) throw new NotDemangled();
  return entity(`${name}.${accessor} : ${of}`);
}

function extension(text: SwiftText): SwiftNode {
  const generic = text.popIf('signature')?.text ?? '';
  const module = popContext(text);
  const of = text.pop('type');
  const prefix = `(extension in ${module.text}):`;
  return { ...of, text: `${prefix}${of.text}${generic}`, prefix };
}

/** Names that are not unique in their scope or file. */
function localName(text: SwiftText): SwiftNode {
  if (text.accept('L')) {
    const discriminator = text.pop('identifier').text;
    return { kind: 'name', text: `(${popName(text)} in ${discriminator})` };
  }
  const number = text.index() + 1;
  return { kind: 'name', text: `${popName(text)} #${number}` };
}

function operatorName(text: SwiftText): string {
  const words = new Map([
    ['i', 'infix'],
    ['p', 'prefix'],
    ['P', 'postfix'],
  ]).get(text.take());
  if (words === undefined) throw new NotDemangled();
  const letters = [...text.pop('identifier').text];
  const characters = letters.map((each) => {
    const known = /[a-z]/.test(each) ? OPERATOR_CHARACTERS[each.charCodeAt(0) - 0x61] : each;
    if (known === undefined || known === ' ') throw new NotDemangled();
    return known;
  });
  return `${characters.join('')} ${words}`;
}

function parameterCounts(text: SwiftText): number[] {
  const counts: number[] = [];
  while (!text.accept('l')) {
    counts.push(text.accept('z') ? 0 : text.index() + 1);
    if (counts.length > 16) throw new NotDemangled();
  }
  return counts;
}

function signature(text: SwiftText, counts: readonly number[]): SwiftNode {
  const requirements: string[] = [];
  for (let one = text.popIf('requirement'); one !== null; one = text.popIf('requirement'))
    requirements.unshift(one.text);
  let written = '';
  for (const [depth, count] of counts.entries()) {
    if (count > 128) throw new NotDemangled();
    const names = Array.from({ length: count }, (_, index) => parameterName(depth, index));
    if (depth > 0) written += '><';
    written += names.join(', ');
  }
  const where = requirements.length > 0 ? ` where ${requirements.join(', ')}` : '';
  return { kind: 'signature', text: `<${written}${where}>` };
}

function requirement(text: SwiftText): string {
  const kind = /[bBcCpPQsStT]/.test(text.peek()) ? text.take() : '';
  let subject: string;
  if (/[BQS]/.test(kind) && kind !== '') subject = text.pop('type').text;
  else if (/[pcs]/.test(kind) && kind !== '') {
    const parameter = genericParameter(text);
    subject = `${parameter}.${associatedName(text)}`;
    text.remember(type(subject));
  } else if (/[CPT]/.test(kind) && kind !== '') throw new NotDemangled();
  else subject = genericParameter(text);
  if (/[sStT]/.test(kind) && kind !== '') return `${subject} == ${text.pop('type').text}`;
  if (/[bBcC]/.test(kind) && kind !== '') return `${subject}: ${text.pop('type').text}`;
  return `${subject}: ${popProtocol(text)}`;
}

function readAnnotation(text: SwiftText): void {
  const letter = text.take();
  if (letter !== 'a' && letter !== 'b') throw new NotDemangled();
  text.push(mark(`Y${letter}`));
}

function readThunk(text: SwiftText): void {
  const letter = text.take();
  if (letter === 'g' || letter === 'G') {
    specialization(text);
    return;
  }
  if (letter === 'Y' || letter === 'Q') {
    const words = letter === 'Y' ? 'suspend' : 'await';
    text.push(entity(`(${text.index()}) ${words} resume partial function for ${text.pop('entity').text}`));
    return;
  }
  const words = THUNKS.get(letter);
  if (words === undefined) throw new NotDemangled();
  text.push(entity(words + text.pop('entity').text));
}

/** `<type> [<type> _]… Tg <pass>`. */
function specialization(text: SwiftText): void {
  if (!/[0-9]/.test(text.take())) throw new NotDemangled();
  const types: string[] = [];
  for (let isFirst = false; !isFirst; ) {
    const found = text.pop('mark');
    if (found.text !== '_') throw new NotDemangled();
    types.unshift(text.pop('type').text);
    const next = text.popIf('mark');
    isFirst = next === null;
    if (next !== null) text.push(next);
  }
  text.push(entity(`generic specialization <${types.join(', ')}> of ${text.pop('entity').text}`));
}

function metadata(text: SwiftText): string {
  const words = new Map([
    ['a', 'type metadata accessor'],
    ['m', 'metaclass'],
    ['n', 'nominal type descriptor'],
    ['r', 'type metadata completion function'],
    ['i', 'type metadata instantiation function'],
  ]).get(text.take());
  if (words === undefined) throw new NotDemangled();
  return words;
}

import { NotDemangled } from '../text-cursor.js';
import { STANDARD_PROTOCOLS, STANDARD_TYPES } from './standard-types.js';
import { type SwiftNode, type } from './swift-node.js';
import type { SwiftText } from './swift-text.js';

const SWIFT: SwiftNode = { kind: 'module', text: 'Swift' };
const FUNCTION_MARKS = ['K', 'Yb', 'Ya'];

/** Reads a type operator and pushes its result; false for any other letter. */
export function readTypeOperator(text: SwiftText, letter: string): boolean {
  switch (letter) {
    case 'A':
      text.pushSubstitutions();
      return true;
    case 'S':
      readStandard(text);
      return true;
    case 's':
      text.push(SWIFT);
      return true;
    case 'C':
    case 'V':
    case 'O':
    case 'P':
    case 'a':
      text.push(text.remember(nominal(text, letter)));
      return true;
    case 'G':
      text.push(text.remember(boundGeneric(text)));
      return true;
    case 'c':
      text.push(functionType(text, ''));
      return true;
    case 'X':
      readExtended(text);
      return true;
    case 't':
      text.push(tuple(text));
      return true;
    case 'z':
      text.push(type(`inout ${text.pop('type').text}`));
      return true;
    case 'n':
      text.push(type(`__owned ${text.pop('type').text}`));
      return true;
    case 'h':
      text.push(type(`__shared ${text.pop('type').text}`));
      return true;
    case 'm':
      text.push(type(`${wrapped(text.pop('type'))}.Type`));
      return true;
    case 'x':
      text.push(type('A'));
      return true;
    case 'q':
      text.push(type(genericParameter(text)));
      return true;
    case 'p':
      text.push(existential(text));
      return true;
    case 'Q':
      text.push(text.remember(associated(text)));
      return true;
    default:
      return false;
  }
}

/** The parent of a declaration: a module, a type, or a function. */
export function popContext(text: SwiftText): SwiftNode {
  const module = text.popIf('identifier');
  return module === null ? text.pop('module', 'type', 'entity') : { kind: 'module', text: module.text };
}

export const popName = (text: SwiftText): string => text.pop('identifier', 'name').text;

function nominal(text: SwiftText, letter: string): SwiftNode {
  const name = popName(text);
  const context = popContext(text);
  if (context.kind === 'entity') throw new NotDemangled();
  const shape = letter === 'P' ? 'protocol' : letter === 'C' ? 'class' : undefined;
  return { ...type(`${context.text}.${name}`, shape), context, name };
}

function readStandard(text: SwiftText): void {
  if (text.accept('o')) {
    text.push({ kind: 'module', text: '__C' });
    return;
  }
  if (text.accept('C')) {
    text.push({ kind: 'module', text: '__C_Synthesized' });
    return;
  }
  if (text.accept('g')) {
    text.push(text.remember(type(`${wrapped(text.pop('type'))}?`)));
    return;
  }
  const repeat = /[0-9]/.test(text.peek()) ? text.natural() : 1;
  const letter = text.take();
  const name = STANDARD_TYPES.get(letter) ?? STANDARD_PROTOCOLS.get(letter);
  if (name === undefined || repeat > 64) throw new NotDemangled();
  const shape = STANDARD_PROTOCOLS.has(letter) ? 'protocol' : undefined;
  const node: SwiftNode = { ...type(`Swift.${name}`, shape), context: SWIFT, name };
  for (let count = 0; count < repeat; count++) text.push(node);
}

/** `<type> y <argument>… [_ <argument>…]… G`: the arguments of the outermost type first. */
function boundGeneric(text: SwiftText): SwiftNode {
  const lists: string[][] = [];
  for (;;) {
    const list: string[] = [];
    for (let one = text.popIf('type'); one !== null; one = text.popIf('type')) list.unshift(one.text);
    lists.push(list);
    if (lists.length > 64) throw new NotDemangled();
    const next = text.pop('mark').text;
    if (next === 'y') break;
    if (next !== '_') throw new NotDemangled();
  }
  const bare = text.pop('type');
  const [own = []] = lists;
  if (bare.text === 'Swift.Array' && own.length === 1) return type(`[${own[0]}]`);
  if (bare.text === 'Swift.Dictionary' && own.length === 2) return type(`[${own[0]} : ${own[1]}]`);
  if (bare.text === 'Swift.Optional' && own.length === 1) return type(`${own[0]}?`);
  return bindArguments(bare, lists, 0);
}

function bindArguments(bare: SwiftNode, lists: readonly string[][], depth: number): SwiftNode {
  const list = lists[depth];
  if (list === undefined || bare.context === undefined || bare.name === undefined) return bare;
  const context = bindArguments(bare.context, lists, depth + 1);
  const bound = `${bare.prefix ?? ''}${context.text}.${bare.name}${list.length > 0 ? `<${list.join(', ')}>` : ''}`;
  return { ...bare, text: bound, context };
}

/** A function type: its marks from the top of the stack, then its parameters and result. */
export function functionType(text: SwiftText, convention: string): SwiftNode {
  let effects = '';
  let sendable = '';
  for (const letter of FUNCTION_MARKS) {
    const found = text.popIf('mark');
    if (found === null) break;
    if (found.text !== letter) {
      text.push(found);
      continue;
    }
    if (letter === 'K') effects = ' throws';
    else if (letter === 'Ya') effects = ` async${effects}`;
    else sendable = '@Sendable ';
  }
  const parameters = popParameters(text);
  const result = popParameters(text);
  const written = result.length === 1 && !result.isTuple ? (result[0] as string) : `(${result.join(', ')})`;
  return {
    ...type(`${convention}${sendable}(${parameters.join(', ')})${effects} -> ${written}`, 'function'),
    parameters,
  };
}

interface Parameters extends ReadonlyArray<string> {
  readonly isTuple: boolean;
}

function popParameters(text: SwiftText): Parameters {
  const nothing = text.popIf('mark');
  if (nothing !== null) {
    if (nothing.text !== 'y') throw new NotDemangled();
    return Object.assign([], { isTuple: true });
  }
  const node = text.pop('type');
  return Object.assign([...(node.shape === 'tuple' ? (node.parameters ?? []) : [node.text])], {
    isTuple: node.shape === 'tuple',
  });
}

function tuple(text: SwiftText): SwiftNode {
  const parameters: string[] = [];
  const top = text.popIf('mark');
  if (top !== null && top.text === 'y') return { ...type('()', 'tuple'), parameters };
  if (top !== null) text.push(top);
  for (let isFirst = false; !isFirst; ) {
    let rest = '';
    let found = text.popIf('mark');
    isFirst = found?.text === '_';
    if (isFirst) found = text.popIf('mark');
    if (found !== null) {
      if (found.text !== 'd') throw new NotDemangled();
      rest = '...';
    }
    const label = text.popIf('identifier');
    parameters.unshift(`${label === null ? '' : `${label.text}: `}${text.pop('type').text}${rest}`);
  }
  return { ...type(`(${parameters.join(', ')})`, 'tuple'), parameters };
}

function readExtended(text: SwiftText): void {
  const letter = text.take();
  switch (letter) {
    case 'E':
      text.push(functionType(text, ''));
      return;
    case 'B':
      text.push(functionType(text, '@convention(block) '));
      return;
    case 'C':
      text.push(functionType(text, '@convention(c) '));
      return;
    case 'K':
      text.push(functionType(text, '@autoclosure '));
      return;
    case 'w':
      text.push(type(`weak ${text.pop('type').text}`));
      return;
    case 'o':
      text.push(type(`unowned ${text.pop('type').text}`));
      return;
    case 'p':
      text.push(type(`${wrapped(text.pop('type'))}.Type`));
      return;
    default:
      throw new NotDemangled();
  }
}

function existential(text: SwiftText): SwiftNode {
  const top = text.popIf('mark');
  if (top?.text === 'y') return type('Any');
  if (top !== null) text.push(top);
  const protocols: string[] = [];
  for (let isFirst = false; !isFirst; ) {
    const found = text.popIf('mark');
    isFirst = found?.text === '_';
    protocols.unshift(popProtocol(text));
  }
  return type(protocols.join(' & '), protocols.length > 1 ? 'existential' : undefined);
}

/** A protocol by its type, or by its name and its module. */
export function popProtocol(text: SwiftText): string {
  const known = text.popIf('type');
  if (known !== null) return known.text;
  const name = popName(text);
  return `${popContext(text).text}.${name}`;
}

/** `z`, `_`, `<index>`, `d <depth> <index>`: A, B, …, A1. */
export function genericParameter(text: SwiftText): string {
  if (text.accept('z')) return 'A';
  const depth = text.accept('d') ? text.index() + 1 : 0;
  const index = depth > 0 ? text.index() : text.index() + 1;
  return parameterName(depth, index);
}

export function parameterName(depth: number, index: number): string {
  let name = '';
  let rest = index;
  do {
    name += String.fromCharCode(0x41 + (rest % 26));
    rest = Math.floor(rest / 26);
  } while (rest > 0);
  return depth === 0 ? name : `${name}${depth}`;
}

/** `<name> [<protocol>] Qz`, `Qy <parameter>`: an associated type of a generic parameter. */
function associated(text: SwiftText): SwiftNode {
  const letter = text.take();
  const of = letter === 'z' ? 'A' : letter === 'y' ? genericParameter(text) : null;
  if (of === null) throw new NotDemangled();
  return type(`${of}.${associatedName(text)}`);
}

export function associatedName(text: SwiftText): string {
  const own = text.popIf('identifier');
  if (own !== null) return own.text;
  const protocol = text.pop('type').text;
  return `${protocol}.${text.pop('identifier').text}`;
}

function wrapped(node: SwiftNode): string {
  return node.shape === 'function' || node.shape === 'existential' ? `(${node.text})` : node.text;
}

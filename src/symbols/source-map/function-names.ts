import { type ParserPlugin, parse } from '@babel/parser';

/** The functions of one original file, searchable by position. */
export interface FunctionScopes {
  /**
   * Name of the innermost function around a position (1-based line, 0-based column): `name`, null for an anonymous
   * function, undefined outside all functions.
   */
  nameAt(line: number, column: number): string | null | undefined;
  /**
   * Whether the function around one position is an argument of the call at another, as in `numbers.map((n) => n / 2)`:
   * that call calls `map`, not the function.
   */
  isGivenTo(line: number, column: number, call: { line: number; column: number }): boolean;
}

interface Range {
  start: number;
  end: number;
}

interface FunctionScope extends Range {
  name: string | null;
  /** The call that the function is an argument of. */
  call: Range | null;
}

/** Larger files are generated: parsing them takes seconds and yields no names that a person wrote. */
const MAX_SOURCE_LENGTH = 4_000_000;

/** A line and column as one sortable number. */
const COLUMN_RANGE = 2 ** 24;

interface Node {
  type: string;
  loc?: { start: { line: number; column: number }; end: { line: number; column: number } } | null;
  [key: string]: unknown;
}

/**
 * Parses an original source of any dialect (TypeScript, Flow, JSX) and lists its functions.
 *
 * @param fileName determines the order in which dialects are tried
 * @returns null when the file is too large or no dialect parses it
 */
export function parseFunctionScopes(content: string, fileName: string): FunctionScopes | null {
  if (content.length > MAX_SOURCE_LENGTH) return null;
  for (const plugins of dialects(fileName)) {
    const root = tryParse(content, plugins);
    if (root !== null) return scopesOf(root);
  }
  return null;
}

function dialects(fileName: string): ParserPlugin[][] {
  const common: ParserPlugin[] = ['decorators-legacy', 'explicitResourceManagement'];
  const typescript: ParserPlugin[] = [...common, 'typescript', 'jsx'];
  const typescriptOnly: ParserPlugin[] = [...common, 'typescript'];
  const flow: ParserPlugin[] = [...common, ['flow', { all: true }], 'flowComments', 'jsx'];
  const path = fileName.replace(/[?#].*/s, '');
  if (/\.[cm]?ts$/i.test(path)) return [typescriptOnly, typescript];
  if (/\.tsx$/i.test(path)) return [typescript];
  return [[...common, 'jsx', 'flow'], flow, typescript];
}

function tryParse(content: string, plugins: ParserPlugin[]): Node | null {
  try {
    const file = parse(content, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowSuperOutsideMethod: true,
      allowUndeclaredExports: true,
      allowNewTargetOutsideFunction: true,
      plugins,
    });
    // Babel's node types, accessed only by their fields.
    return file.program as unknown as Node;
  } catch {
    return null;
  }
}

function scopesOf(root: Node): FunctionScopes {
  const scopes: FunctionScope[] = [];
  visit(root, scopes);
  const scopeAt = (at: number): FunctionScope | undefined => {
    let best: FunctionScope | undefined;
    for (const scope of scopes) {
      if (isIn(scope, at) && (best === undefined || scope.start >= best.start)) best = scope;
    }
    return best;
  };
  return {
    nameAt: (line, column) => scopeAt(place({ line, column }))?.name,
    isGivenTo(line, column, call) {
      const scope = scopeAt(place({ line, column }));
      const at = place(call);
      return scope !== undefined && scope.call !== null && isIn(scope.call, at) && !isIn(scope, at);
    },
  };
}

const isIn = ({ start, end }: Range, at: number): boolean => start <= at && at < end;

/** Walks without recursion, because minified or generated sources nest thousands of levels deep. */
function visit(root: Node, scopes: FunctionScope[]): void {
  const pending: { node: Node; parents: Parents }[] = [{ node: root, parents: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, parents } = next;
    if (isFunction(node) && node.loc)
      scopes.push({ ...rangeOf(node.loc), name: functionName(node, parents), call: callOf(node, parents) });
    const own: Parents = { node, up: parents };
    for (const key in node) {
      if (key === 'loc' || key === 'extra' || key.endsWith('omments')) continue;
      const value = node[key];
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) pending.push({ node: child, parents: own });
      } else if (isNode(value)) {
        pending.push({ node: value, parents: own });
      }
    }
  }
}

const rangeOf = ({ start, end }: NonNullable<Node['loc']>): Range => ({ start: place(start), end: place(end) });

function callOf(node: Node, parents: Parents): Range | null {
  const given: unknown = parents?.node.arguments;
  return parents?.node.loc && Array.isArray(given) && given.includes(node) ? rangeOf(parents.node.loc) : null;
}

type Parents = { node: Node; up: Parents } | null;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function place(position: { line: number; column: number }): number {
  return position.line * COLUMN_RANGE + position.column;
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);

const isFunction = (node: Node): boolean => FUNCTIONS.has(node.type);

/** The function's own name, or that of the variable, property or class member it is assigned to. */
function functionName(node: Node, parents: Parents): string | null {
  if (isNode(node.id)) return nameOf(node.id);
  if (node.type === 'ObjectMethod') return nameOf(node.key);
  if (node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod')
    return memberName(nameOf(node.key), parents?.up?.node);
  const parent = parents?.node;
  switch (parent?.type) {
    case 'VariableDeclarator':
      return nameOf(parent.id);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return parent.right === node ? nameOf(parent.left) : null;
    case 'ObjectProperty':
      return parent.value === node ? nameOf(parent.key) : null;
    case 'ClassProperty':
    case 'ClassPrivateProperty':
    case 'ClassAccessorProperty':
      return memberName(nameOf(parent.key), parents?.up?.up?.node);
    case 'ExportDefaultDeclaration':
      return 'default';
    default:
      return null;
  }
}

function memberName(member: string | null, owner: Node | undefined): string | null {
  const className = isNode(owner?.id) ? nameOf(owner.id) : null;
  if (member === 'constructor') return className === null ? member : `new ${className}`;
  return className === null || member === null ? member : `${className}.${member}`;
}

/** The dotted text of an identifier, member or literal key; null for computed ones. */
function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  switch (node.type) {
    case 'Identifier':
      return String(node.name);
    case 'PrivateName':
      return `#${nameOf(node.id) ?? ''}`;
    case 'StringLiteral':
    case 'NumericLiteral':
      return String(node.value);
    case 'ThisExpression':
      return 'this';
    case 'MemberExpression': {
      const owner = nameOf(node.object);
      const property =
        node.computed === true && !isNodeOf(node.property, 'StringLiteral') ? null : nameOf(node.property);
      if (property === null) return null;
      return owner === null || owner === 'this' || owner === 'module' ? property : `${owner}.${property}`;
    }
    default:
      return null;
  }
}

const isNodeOf = (value: unknown, type: string): boolean => isNode(value) && value.type === type;

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parse } from '@babel/parser';

/** One import as written, including type-only imports, re-exports, dynamic imports and `import('…')` types. */
export interface ImportEdge {
  from: string;
  to: string;
  line: number;
}

interface SyntaxNode {
  type: string;
  loc?: { start: { line: number } } | null;
  [field: string]: unknown;
}

/**
 * The imports between the project's own files. The files are parsed here because dependency-cruiser cannot read
 * TypeScript through TypeScript 7, which has no stable compiler interface yet.
 * @param root folder that the paths are relative to
 * @param files relative paths of TypeScript files
 */
export function importEdges(root: string, files: readonly string[]): ImportEdge[] {
  const known = new Set(files);
  return files.flatMap((file) =>
    edgesOf(file, readFileSync(join(root, file), 'utf8')).map((edge) =>
      known.has(`${edge.to}x`) ? { ...edge, to: `${edge.to}x` } : edge,
    ),
  );
}

function edgesOf(file: string, code: string): ImportEdge[] {
  const tree = parse(code, {
    sourceType: 'module',
    plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript', 'decorators-legacy'],
  });
  const edges: ImportEdge[] = [];
  walk(tree.program as unknown as SyntaxNode, (node) => {
    const target = specifierOf(node);
    if (!target?.startsWith('.')) return;
    const to = normalize(join(dirname(file), target)).replace(/\.js$/, '.ts');
    edges.push({ from: file, to, line: node.loc?.start.line ?? 0 });
  });
  return edges;
}

function specifierOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return literal(node.source);
    case 'TSImportType':
      return literal(node.argument);
    case 'CallExpression':
      return isNode(node.callee) && node.callee.type === 'Import'
        ? literal((node.arguments as unknown[])[0])
        : undefined;
    default:
      return undefined;
  }
}

function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TSLiteralType') return literal(node.literal);
  return node.type === 'StringLiteral' ? String(node.value) : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit);
    }
  }
}

/** Every group of files that import each other in a cycle, each sorted by path. */
export function circles(edges: readonly ImportEdge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) lowest.set(file, Math.min(lowest.get(file) ?? index, visit(target)));
      else if (stack.includes(target))
        lowest.set(file, Math.min(lowest.get(file) ?? index, order.get(target) ?? index));
    }
    if (lowest.get(file) === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || targets.get(file)?.includes(file)) found.push(group.sort());
    }
    return lowest.get(file) ?? index;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return found;
}

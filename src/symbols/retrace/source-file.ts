import type { Mapping } from './mapping.js';

/**
 * The source file of an original class: from the mapping, or else derived from the outermost class's name as in R8's
 * retrace. "Native Method" is kept.
 */
export function inferSourceFile(mapping: Mapping, className: string, printed: string): string {
  const stated = mapping.sourceFileOf(className);
  if (stated !== null) return stated;
  if (printed === 'Native Method') return printed;
  const simple = outermostSimpleName(className);
  const dot = printed.lastIndexOf('.');
  const extension = dot < 0 ? '' : printed.slice(dot + 1);
  if (simple.endsWith('Kt') && (extension === '' || extension === 'kt')) return `${simple.slice(0, -2)}.kt`;
  return `${simple}.${extension === 'kt' ? 'kt' : 'java'}`;
}

function outermostSimpleName(className: string): string {
  const start = className.lastIndexOf('.') + 1;
  const inner = className.indexOf('$', start);
  return className.slice(start, inner < 0 ? undefined : inner);
}

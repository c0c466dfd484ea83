import { pointer, SchemaDocument, type SchemaNode } from './schema-nodes.js';
import type { SchemaFault } from './schema-task.js';

/** The regular expression engine reads a pattern outside the thread's heap and can't be interrupted. */
const LONGEST_PATTERN = 8_192;

/** Why a schema is unusable although its keywords are well-formed; null if it is usable. */
export function faultOf(schema: object): SchemaFault | null {
  const document = new SchemaDocument(schema);
  for (const node of document.nodes) {
    if (Object.hasOwn(node.schema, '$async'))
      return { place: `${node.place}/$async`, problem: '$async is not supported' };
    const place = placeOfLongPattern(node);
    if (place) return { place, problem: `a pattern can have at most ${LONGEST_PATTERN} characters` };
  }
  const place = placeOfLoop(document);
  return place === null ? null : { place, problem: 'it refers back to itself without descending into the value' };
}

function placeOfLongPattern({ schema, place }: SchemaNode): string | null {
  const { pattern, patternProperties } = schema;
  if (typeof pattern === 'string' && pattern.length > LONGEST_PATTERN) return `${place}/pattern`;
  const long = Object.keys(patternProperties ?? {}).find((key) => key.length > LONGEST_PATTERN);
  return long === undefined ? null : `${place}/patternProperties${pointer(long)}`;
}

/** The place that closes a circle of schemas for the same value. */
function placeOfLoop(document: SchemaDocument): string | null {
  const open = new Set<SchemaNode>();
  const done = new Set<SchemaNode>();
  const search = (node: SchemaNode): string | null => {
    open.add(node);
    for (const [next, place] of document.onTheSameValue(node)) {
      if (open.has(next)) return place;
      const found = done.has(next) ? null : search(next);
      if (found) return found;
    }
    open.delete(node);
    done.add(node);
    return null;
  };
  for (const node of document.nodes) {
    const found = done.has(node) ? null : search(node);
    if (found) return found;
  }
  return null;
}

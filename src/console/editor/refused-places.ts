import { jsonLanguage } from '@codemirror/lang-json';

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/**
 * Where a JSON text has what the server's refusal names by its JSON Pointer: `/n must be integer` for a value,
 * `(at #/properties/n)` for a schema.
 *
 * @returns offsets in the text, in order
 */
export function refusedPlaces(text: string, refusal: string): number[] {
  const problems = refusal.split('; ');
  const places: number[] = [];
  const look = (node: SyntaxNode | null, pointer: string, from = node?.from): void => {
    if (!node || from === undefined) return;
    const isNamed = problems.some((one) => one.startsWith(`${pointer} `) || one.includes(`(at #${pointer})`));
    if (pointer !== '' && isNamed) places.push(from);
    if (node.name === 'Object')
      for (const property of node.getChildren('Property')) {
        const name = property.getChild('PropertyName');
        const key = name && nameIn(text.slice(name.from, name.to));
        look(property.lastChild, `${pointer}/${key}`, property.from);
      }
    if (node.name === 'Array') {
      let at = 0;
      for (let item = node.firstChild; item; item = item.nextSibling)
        if (!/^[[\],⚠]$/.test(item.name)) look(item, `${pointer}/${at++}`);
    }
  };
  look(jsonLanguage.parser.parse(text).topNode.firstChild, '');
  return places;
}

/** A property's name as a step of a JSON Pointer. */
const nameIn = (quoted: string): string => String(JSON.parse(quoted)).replaceAll('~', '~0').replaceAll('/', '~1');

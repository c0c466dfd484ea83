import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { viteBuild } from '../vite-build.js';

/** Which function in which file throws, and on which line. */
export const THROWN = {
  function: 'totalOf',
  file: /src\/price\.js$/,
  line: 6,
  text: "    throw new RangeError('no price');",
};

const PRICE = `// What things cost.
const PRICES = { tea: 3 };

export function totalOf(names) {
  if (names.some((name) => !(name in PRICES)))
    throw new RangeError('no price');
  return names.reduce((sum, name) => sum + PRICES[name], 0);
}
`;

const MAIN = `import { totalOf } from './price.js';

function checkout(names) {
  return 'total ' + totalOf(names);
}

globalThis.pay = () => {
  try {
    return checkout(['tea', 'coffee']);
  } catch (error) {
    return { name: error.name, message: error.message, stack: error.stack, ids: globalThis._quarterdeckDebugIds };
  }
};
`;

/** What a bundle reports when it is asked to pay. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
  /** Stack of a script → its debug id. */
  ids: Record<string, string>;
}

/** Bundles and minifies a small shop with Vite in the given format, with a source map next to it. */
export async function buildBundle(folder: string, format: 'iife' | 'es' | 'cjs', sourcemap: boolean | 'hidden') {
  const source = join(folder, 'src');
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'price.js'), PRICE);
  await writeFile(join(source, 'main.js'), MAIN);
  const entry = join(source, 'main.js');
  const name = format === 'cjs' ? 'shop.cjs' : 'shop.js';
  await viteBuild({
    root: folder,
    build: {
      outDir: join(folder, format),
      minify: true,
      sourcemap,
      rolldownOptions: { input: entry, output: { format, entryFileNames: name } },
    },
  });
  return join(folder, format, name);
}

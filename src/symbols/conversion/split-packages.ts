import { packagedUnitIds } from '../native/dwarf/split/joined-packages.js';
import type { ObjectImage } from '../native/object-image.js';
import { isNativeObject, readObjects } from '../native/read-objects.js';
import { eachNativeFile, type NativeFile } from './native-files.js';

/** The lookup key of a unit in a package. */
export const splitKey = (id: string): string => `split:${id}`;

/** Split debug information packages in an archive (`.dwp` files) or uploaded as single files. */
export function splitPackages(archive: { path: string; name: string }, files: readonly string[]): ObjectImage[] {
  const packages: ObjectImage[] = [];
  const take = (file: NativeFile): void => {
    const bytes = file.read();
    if (!isNativeObject(bytes)) return;
    for (const image of readObjects(bytes, file.packedSize))
      if (packagedUnitIds(image).length > 0) packages.push(image);
  };
  eachNativeFile(archive.path, archive.name, (file) => {
    if (file.name !== archive.name && file.name.endsWith('.dwp')) take(file);
  });
  for (const path of files) eachNativeFile(path, path, take);
  return packages;
}

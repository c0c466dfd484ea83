import type { Logger } from '../../kernel/logger.js';
import type { ObjectStore } from './object-store.js';

/** Removes objects whose rows are deleted; the orphan sweep removes what fails now. */
export async function removeObjects(objects: ObjectStore, paths: readonly string[], logger: Logger): Promise<void> {
  for (const path of paths) {
    await objects
      .delete(path)
      .catch((error: unknown) => logger.warn({ err: error }, 'could not remove an object; the orphan sweep will'));
  }
}

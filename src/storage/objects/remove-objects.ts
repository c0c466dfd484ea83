import type { Logger } from '../../kernel/logger.js';
import type { ObjectStore } from './object-store.js';

/** Removes objects whose rows are gone; what cannot be removed now, the orphan sweep removes. */
export async function removeObjects(objects: ObjectStore, paths: readonly string[], logger: Logger): Promise<void> {
  for (const path of paths) {
    await objects
      .delete(path)
      .catch((error: unknown) => logger.warn({ err: error }, 'an object stays until the orphan sweep'));
  }
}

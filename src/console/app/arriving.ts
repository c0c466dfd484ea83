import { tellCutOff } from '../data/line.js';

const LOOK_EVERY_MS = 2_000;

/**
 * Loads a page's script. While the server doesn't answer, it waits and the page says so: a full reload would lose the
 * console. Fails when the server answers but no longer has the script, as after a release.
 */
export async function arriving<Script>(load: () => Promise<Script>): Promise<Script> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      const answers = await fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(
        () => true,
        () => false,
      );
      if (answers) throw error;
      tellCutOff();
      await new Promise((passed) => setTimeout(passed, LOOK_EVERY_MS));
    }
  }
}

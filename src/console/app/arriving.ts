import { tellCutOff } from '../data/line.js';

const LOOK_EVERY_MS = 2_000;

/**
 * The script of a page. While the server gives no answer it is waited for, and the page says so: whoever loaded the console anew then would lose it.
 * Fails where the server answers and has no such script, as after a release.
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

import type { Breadcrumb } from './crash-reports.js';
import { plainJson } from './plain-json.js';
import type { Platform } from './platform.js';

const MOST = 30;
/** Together they fit into what the server stores. */
const MOST_TEXT = 8_000;

/** The most recent breadcrumbs before a crash. */
export class Breadcrumbs {
  all: readonly Breadcrumb[] = [];

  constructor(private readonly platform: Platform) {}

  leave(category: string, message: string, data?: unknown): void {
    const at = new Date(this.platform.now()).toISOString();
    const crumb = plainJson({ at, category, message, data }, MOST_TEXT) as unknown as Breadcrumb;
    this.all = [...this.all, crumb].slice(-MOST);
  }
}

import type { Breadcrumb } from './crash-reports.js';
import type { Json } from './json.js';
import type { Platform } from './platform.js';

const MOST = 30;

/** The last traces that were left before a crash. */
export class Breadcrumbs {
  all: readonly Breadcrumb[] = [];

  constructor(private readonly platform: Platform) {}

  leave(category: string, message: string, data?: Json): void {
    const at = new Date(this.platform.now()).toISOString();
    this.all = [...this.all, { at, category, message, ...(data === undefined ? {} : { data }) }].slice(-MOST);
  }
}

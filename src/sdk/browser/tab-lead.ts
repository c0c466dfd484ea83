import type { LiveUpdates } from '../core/live-updates.js';
import type { Platform } from '../core/platform.js';
import { HIDDEN_MS } from './limits.js';
import type { Tabs } from './tabs.js';

/** Whether this tab leads the others: it wants to, until nobody has seen it for a while. */
export class TabLead {
  private give: (() => void) | null = null;
  private stopHidden: (() => void) | null = null;

  constructor(
    private readonly platform: Platform,
    private readonly tabs: Tabs,
    private readonly live: LiveUpdates,
  ) {}

  /** Leads as soon as no other tab does. */
  take(): void {
    this.give ??= this.tabs.lead(() => this.live.lead());
  }

  /** Whether somebody sees the tab. */
  seen(isSeen: boolean): void {
    this.stopHidden?.();
    this.stopHidden = null;
    if (isSeen) this.take();
    else
      this.stopHidden = this.platform.later(HIDDEN_MS, () => {
        this.live.follow();
        this.give?.();
        this.give = null;
      });
  }

  /** Leaves the page together with the other tabs. */
  leave(): void {
    this.live.rest();
    this.tabs.leave();
    this.give = null;
  }
}

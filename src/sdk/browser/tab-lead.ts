import type { LiveUpdates } from '../core/live-updates.js';
import type { Platform } from '../core/platform.js';
import { HIDDEN_MS } from './limits.js';
import type { Tabs } from './tabs.js';

/** Whether this tab leads the others: it wants to, until nobody has seen it for a while. */
export class TabLead {
  private give?: (() => void) | null;
  private stopHidden?: () => void;

  constructor(
    private readonly platform: Platform,
    private readonly tabs: Tabs,
    private readonly live: LiveUpdates,
  ) {}

  /** Begins, or begins anew after the tab was left: browsers show a page from their cache before they say that it is back. */
  begin(): void {
    this.give = null;
    this.take();
  }

  /** Whether somebody sees the tab. */
  seen(isSeen: boolean): void {
    this.stopHidden?.();
    if (isSeen) this.take();
    else
      this.stopHidden = this.platform.later(HIDDEN_MS, () => {
        this.live.stop('following');
        this.give?.();
        this.give = null;
      });
  }

  /** Leaves the page together with the other tabs. */
  leave(): void {
    this.live.stop('resting');
    this.tabs.leave();
  }

  /** Leads as soon as no other tab does. */
  private take(): void {
    this.give ??= this.tabs.lead(() => this.live.lead());
  }
}

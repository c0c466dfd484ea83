import type { LiveUpdates } from '../core/live-updates.js';
import type { Platform } from '../core/platform.js';
import { HIDDEN_MS } from './limits.js';
import type { Tabs } from './tabs.js';

/** Whether this tab leads the others. It tries to until it has been hidden for a while. */
export class TabLead {
  private give?: (() => void) | null;
  private stopHidden?: () => void;

  constructor(
    private readonly platform: Platform,
    private readonly tabs: Tabs,
    private readonly live: LiveUpdates,
  ) {}

  /** Starts, or restarts after the tab was left: browsers show a cached page before they announce it. */
  begin(): void {
    this.give = null;
    this.take();
  }

  /** Whether the tab is visible. */
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

  /** Leaves the group of tabs. */
  leave(): void {
    this.live.stop('resting');
    this.tabs.leave();
  }

  /** Leads as soon as no other tab does. */
  private take(): void {
    this.give ??= this.tabs.lead(() => this.live.lead());
  }
}

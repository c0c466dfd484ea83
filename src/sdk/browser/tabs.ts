import { attempt } from '../core/attempt.js';
import type { KeptAnswer } from '../core/decision-client.js';
import type { Notice } from '../core/live-updates.js';
import type { Written } from './browser-store.js';

/** Keys of values that hold in all tabs. */
export const SAID = /:(person|consent)$/;

/** Messages between tabs of one browser and instances on one page; the sender never receives its own. */
export type TabMessage =
  | { readonly is: 'answer'; readonly answer: KeptAnswer }
  /** Something may have changed: tabs with another subject must ask the server themselves. */
  | { readonly is: 'notice'; readonly subject: string; readonly notice: Notice | null | undefined }
  | { readonly is: 'surveys' }
  | { readonly is: 'written'; readonly written: Written };

/**
 * The tabs of one origin that use the same key. One of them leads: it holds the connection to the server and updates
 * the others. Without Web Locks or BroadcastChannel, as on pages without HTTPS or in a sandboxed frame, each tab leads
 * itself.
 */
export class Tabs {
  private channel?: BroadcastChannel | null;
  private releases: (() => void)[] = [];

  constructor(
    private readonly prefix: string,
    readonly name: string,
  ) {}

  /** Announces the tab as alive and listens to the others. */
  join(onMessage: (message: TabMessage) => void): void {
    // Old browsers have none, and some forbid it together with storage.
    attempt(() => {
      this.channel = new BroadcastChannel(this.prefix);
      this.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
    });
    this.hold(`${this.prefix}tab:${this.name}`, () => undefined);
  }

  /** Leads as soon as no other tab does; the returned function gives up the lead. */
  lead(onLead: () => void): () => void {
    return this.hold(`${this.prefix}lead`, onLead, !!this.channel);
  }

  tell(message: TabMessage): void {
    this.channel?.postMessage(message);
  }

  /** Calls back for each of these tabs that is closed, and for all of them when that cannot be known. */
  ofThoseGone(tabs: readonly string[], inherit: (tab: string) => void): void {
    const { locks } = navigator;
    for (const tab of tabs) {
      if (!locks) inherit(tab);
      else
        locks
          .request(`${this.prefix}tab:${tab}`, { ifAvailable: true }, (lock) => {
            if (lock) inherit(tab);
          })
          .catch(() => undefined);
    }
  }

  leave(): void {
    for (const release of this.releases.splice(0)) release();
    this.channel?.close();
    this.channel = null;
  }

  private hold(name: string, onHeld: () => void, isShared = true): () => void {
    const { locks } = navigator;
    if (!locks || !isShared) {
      onHeld();
      return () => undefined;
    }
    const waiting = new AbortController();
    let release = (): void => waiting.abort();
    const untilReleased = (): Promise<void> => {
      onHeld();
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    // Rejects when aborted while waiting, or when the frame's sandbox forbids locks.
    locks.request(name, { signal: waiting.signal }, untilReleased).catch(() => !waiting.signal.aborted && onHeld());
    const end = (): void => release();
    this.releases.push(end);
    return end;
  }
}

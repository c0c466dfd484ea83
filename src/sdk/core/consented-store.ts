import { type KeyValueStore, memoryStore } from './key-value-store.js';

/** Whether the person agreed to be tracked; `pending` until they have chosen. */
export type Consent = 'granted' | 'denied' | 'pending';

export const isConsent = (choice: unknown): choice is Consent => /^(granted|denied|pending)$/.test(choice as string);

/**
 * A store that writes to the device only with consent. Until then everything is in memory; granting moves it to the
 * device, and refusing wipes it from there. The choice itself is always stored and applies to all tabs at once.
 */
export class ConsentedStore {
  private readonly memory = memoryStore();
  /** Aborted when the person withdraws consent, to cancel requests in flight. */
  refusal = new AbortController();
  private choice: Consent;

  constructor(
    private readonly device: KeyValueStore,
    private readonly prefix: string,
    initially: Consent,
  ) {
    this.choice = initially;
    if (this.consent === 'denied') this.wipe();
  }

  /** The latest choice, in whichever tab it was made. */
  get consent(): Consent {
    const kept = this.device.get(this.choiceKey);
    if (isConsent(kept) && kept !== this.choice) this.settle(kept, false);
    return this.choice;
  }

  choose(consent: Consent): void {
    this.settle(consent, true);
    this.device.set(this.choiceKey, consent);
  }

  /** The store to use under the current choice. */
  get present(): KeyValueStore {
    return this.consent === 'granted' ? this.device : this.memory;
  }

  private get choiceKey(): string {
    return `${this.prefix}consent`;
  }

  /** A tab's memory yields to what the tab where the choice was made has put on the device. */
  private settle(choice: Consent, isOwn: boolean): void {
    this.choice = choice;
    if (choice !== 'granted') {
      this.wipe();
      this.refusal.abort();
      this.refusal = new AbortController();
    } else
      for (const key of this.memory.keys('')) {
        if (isOwn || this.device.get(key) === null) this.device.set(key, this.memory.get(key) ?? '');
        this.memory.remove(key);
      }
  }

  private wipe(): void {
    for (const key of this.device.keys(this.prefix)) if (key !== this.choiceKey) this.device.remove(key);
  }
}

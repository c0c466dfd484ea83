import { type KeyValueStore, memoryStore } from './key-value-store.js';

/** Whether the person agreed to be known and counted; `pending` until they were asked. */
export type Consent = 'granted' | 'denied' | 'pending';

/** Whether something is a choice at all. */
export const isConsent = (choice: unknown): choice is Consent => /^(granted|denied|pending)$/.test(choice as string);

/**
 * A store that keeps on the device only what the person agreed to: before that everything is in memory, what they agree to then moves to the
 * device, and what they refuse is wiped from it. The choice itself is always kept, and holds in all tabs at once.
 */
export class ConsentedStore {
  private readonly memory = memoryStore();
  /** Aborted when the person agrees no longer: what is under way with what they refuse need not arrive. */
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

  /** The choice, wherever it was made last. */
  get consent(): Consent {
    const kept = this.device.get(this.choiceKey);
    if (isConsent(kept) && kept !== this.choice) this.settle(kept, false);
    return this.choice;
  }

  choose(consent: Consent): void {
    this.settle(consent, true);
    this.device.set(this.choiceKey, consent);
  }

  /** Where to keep things as the choice is now. */
  get present(): KeyValueStore {
    return this.consent === 'granted' ? this.device : this.memory;
  }

  private get choiceKey(): string {
    return `${this.prefix}consent`;
  }

  /** What a tab remembers stands back behind what the tab that was told the choice has put on the device. */
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

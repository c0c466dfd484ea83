import { type KeyValueStore, memoryStore } from './key-value-store.js';

/** Whether the person agreed to be known and counted; `pending` until they were asked. */
export type Consent = 'granted' | 'denied' | 'pending';

/**
 * A store that keeps on the device only what the person agreed to: before that everything is in memory, what they agree to then moves to the
 * device, and what they refuse is wiped from it. The choice itself is always kept.
 */
export class ConsentedStore {
  private readonly memory = memoryStore();
  private choice: Consent;

  constructor(
    private readonly device: KeyValueStore,
    private readonly prefix: string,
    initially: Consent,
  ) {
    const kept = device.get(this.choiceKey);
    this.choice = kept === 'granted' || kept === 'denied' ? kept : initially;
    if (this.choice === 'denied') this.wipe();
  }

  get consent(): Consent {
    return this.choice;
  }

  choose(consent: Consent): void {
    this.choice = consent;
    if (consent !== 'granted') this.wipe();
    else
      for (const key of this.memory.keys('')) {
        this.device.set(key, this.memory.get(key) ?? '');
        this.memory.remove(key);
      }
    if (consent === 'pending') this.device.remove(this.choiceKey);
    else this.device.set(this.choiceKey, consent);
  }

  /** Where to keep things as the choice is now. */
  get present(): KeyValueStore {
    return this.choice === 'granted' ? this.device : this.memory;
  }

  private get choiceKey(): string {
    return `${this.prefix}consent`;
  }

  private wipe(): void {
    for (const key of this.device.keys(this.prefix)) if (key !== this.choiceKey) this.device.remove(key);
  }
}

import type { Connection } from '../core/connection.js';
import { type CrashReport, crashCourier } from '../core/crash-reports.js';
import { type Operation, operationCourier } from '../core/operations.js';
import { type Courier, leavingRoom, Outbox } from '../core/outbox.js';
import { CRASHES, QUEUE } from './limits.js';
import type { Tabs } from './tabs.js';

/** What all instances on a page share. */
const room = leavingRoom();

/** Operations by which rules may decide in another way. */
const ABOUT_PERSON = /{"type":"(people|alias)/;

/** All that waits to be sent from a page. */
export class Outboxes {
  readonly operations: Outbox<Operation>;
  readonly crashes: Outbox<CrashReport>;
  private readonly all: readonly Outbox<never>[];

  constructor(
    connection: Connection,
    prefix: string,
    private readonly tabs: Tabs,
    isOpen: () => boolean,
    /** The server knows more about a person. */
    onPerson: () => void,
  ) {
    const outbox = <Item>(name: string, courier: Courier, limits: typeof QUEUE) =>
      new Outbox<Item>(connection.platform, courier, `${prefix}${name}:`, tabs.name, { ...limits, isOpen, onTaken });
    const onTaken = (batch: string) => ABOUT_PERSON.test(batch) && onPerson();
    this.operations = outbox('operations', operationCourier(connection), QUEUE);
    this.crashes = outbox('crashes', crashCourier(connection), CRASHES);
    this.all = [this.operations, this.crashes];
  }

  /** Begins, or goes on after a while in which other tabs may have taken over what is here. */
  work(): void {
    for (const outbox of this.all) {
      outbox.lookAgain();
      this.tabs.ofThoseGone(outbox.otherTabs(), (tab) => outbox.adopt(tab));
    }
  }

  /** Sends what waits; resolves with how much still does. */
  async flush(): Promise<number> {
    await Promise.all(this.all.map((outbox) => outbox.flush())).catch(() => undefined);
    return this.operations.length + this.crashes.length;
  }

  /** Sends what fits while the page goes away. */
  flushLast(): void {
    // What is known not to arrive is not sent: nobody could say at the next start that it did not.
    if (navigator.onLine) for (const outbox of this.all) outbox.flushLast(room);
  }

  /** The server is back. */
  reachable(): void {
    for (const outbox of this.all) outbox.reachable();
  }

  clear(): void {
    for (const outbox of this.all) outbox.clear();
  }
}

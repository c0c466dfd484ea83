import type { Connection } from '../core/connection.js';
import { type CrashReport, crashCourier } from '../core/crash-reports.js';
import { type Operation, operationCourier } from '../core/operations.js';
import { type Courier, leavingRoom, Outbox } from '../core/outbox.js';
import { CRASHES, QUEUE } from './limits.js';
import type { Tabs } from './tabs.js';

/** State that all instances on a page share. */
const room = leavingRoom();

/** Operations that can change what rules decide. */
const ABOUT_PERSON = /{"type":"(people|alias)/;

/** Everything waiting to be sent from a page. */
export class Outboxes {
  readonly operations: Outbox<Operation>;
  readonly crashes: Outbox<CrashReport>;
  private readonly all: readonly Outbox<never>[];

  constructor(
    connection: Connection,
    prefix: string,
    private readonly tabs: Tabs,
    isOpen: () => boolean,
    /** Called when the server has learned more about a person. */
    onPerson: () => void,
  ) {
    const outbox = <Item>(name: string, courier: Courier, limits: typeof QUEUE) =>
      new Outbox<Item>(connection.platform, courier, `${prefix}${name}:`, tabs.name, { ...limits, isOpen, onTaken });
    const onTaken = (batch: string) => ABOUT_PERSON.test(batch) && onPerson();
    this.operations = outbox('operations', operationCourier(connection), QUEUE);
    this.crashes = outbox('crashes', crashCourier(connection), CRASHES);
    this.all = [this.operations, this.crashes];
  }

  /** Starts, or resumes after other tabs may have taken over items. */
  work(): void {
    for (const outbox of this.all) {
      outbox.lookAgain();
      this.tabs.ofThoseGone(outbox.otherTabs(), (tab) => outbox.adopt(tab));
    }
  }

  /** Sends what is waiting; resolves with the number of items still waiting. */
  async flush(): Promise<number> {
    await Promise.all(this.all.map((outbox) => outbox.flush())).catch(() => undefined);
    return this.operations.length + this.crashes.length;
  }

  /** Sends what fits while the page unloads. */
  flushLast(): void {
    // Nothing is sent that cannot arrive: the next start could not tell that it was lost.
    if (navigator.onLine) for (const outbox of this.all) outbox.flushLast(room);
  }

  /** Called when the server is back. */
  reachable(): void {
    for (const outbox of this.all) outbox.reachable();
  }

  clear(): void {
    for (const outbox of this.all) outbox.clear();
  }
}

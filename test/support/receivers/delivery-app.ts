import type { DeliveryOptions } from '../../../src/compose/webhooks.js';
import type { EventDispatcher } from '../../../src/events/dispatcher.js';
import type { DeliveryWorker } from '../../../src/modules/webhooks/delivery/delivery-worker.js';
import { createDispatcher } from '../../../src/worker.js';
import { openTestApp, type TestApp } from '../test-app.js';

/** An application whose dispatcher and delivery worker run when the test says so, on a clock that the test controls. */
export interface DeliveryTestApp extends TestApp {
  dispatcher: EventDispatcher;
  deliveries: DeliveryWorker;
  /** Fans out what was stored and delivers what is due now. */
  settle(): Promise<void>;
}

/** Loopback addresses stand for the public internet, except 127.0.0.1 and ::1, which stay denied. */
const RECEIVERS = '127.0.0.5,127.0.0.6';

export async function openDeliveryApp(options: DeliveryOptions = {}): Promise<DeliveryTestApp> {
  const test = await openTestApp({ settings: { WEBHOOK_ALLOWED_NETWORKS: RECEIVERS } });
  const dispatcher = createDispatcher(test.app);
  const deliveries = test.app.services.createDeliveryWorker({ random: () => 0.5, ...options });
  deliveries.start();
  return {
    ...test,
    dispatcher,
    deliveries,
    async settle() {
      await dispatcher.drain();
      await deliveries.drain();
    },
    async close() {
      await deliveries.stop();
      await test.close();
    },
  };
}

/** A delivery that this worker holds a lease on, with its event. */
export interface ClaimedDelivery {
  id: string;
  /** Number of the worker that holds the lease. */
  owner: number;
  subscriptionId: string;
  /** Project of the subscription; the event may belong to the whole organization. */
  projectId: string;
  kind: string;
  /** Attempts so far, and how many of them belong to earlier rounds that a replay ended. */
  attempts: number;
  earlierAttempts: number;
  /** By the process's own clock, `performance.now()`: no one sets it. */
  claimedAt: number;
  event: DeliveredEvent;
}

export interface DeliveredEvent {
  id: string;
  sequence: string;
  organizationId: string;
  projectId: string | null;
  environment: string | null;
  objectType: string;
  objectId: string;
  /** JSON text. */
  data: string;
  createdAt: Date;
}

export interface DeliverySubscription {
  id: string;
  url: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
}

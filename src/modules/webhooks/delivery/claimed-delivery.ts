/** A delivery that this worker holds a lease on, with the event that it carries. Times are milliseconds since the epoch. */
export interface ClaimedDelivery {
  id: string;
  /** Number of the worker that took the lease. */
  owner: number;
  subscriptionId: string;
  /** Project of the subscription; the event may belong to the whole organization. */
  projectId: string;
  kind: string;
  /** Attempts made so far, and how many of them belong to earlier rounds that a replay ended. */
  attempts: number;
  earlierAttempts: number;
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

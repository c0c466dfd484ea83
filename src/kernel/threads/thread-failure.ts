/** Why a thread gave no result: no room or turn for the task in time, too much processor time, too much memory, or another end. */
export type ThreadFailureReason = 'busy' | 'time' | 'memory' | 'ended';

/** A task of a thread that has no result. */
export class ThreadFailure extends Error {
  constructor(
    readonly reason: ThreadFailureReason,
    /** The step of the task that failed, from 0; 0 too for a task that never began. */
    readonly step: number = 0,
    options?: ErrorOptions,
  ) {
    super(`a thread had no result: ${reason} in step ${step}`, options);
  }
}

/** Why a thread gave no result: no room or turn in time, too much CPU time, too much memory, or another failure. */
export type ThreadFailureReason = 'busy' | 'time' | 'memory' | 'ended';

export class ThreadFailure extends Error {
  constructor(
    readonly reason: ThreadFailureReason,
    /** The 0-based step that failed; also 0 for a task that never began. */
    readonly step: number = 0,
    options?: ErrorOptions,
  ) {
    super(`a thread failed: ${reason} in step ${step}`, options);
  }
}

import type { MatrixObjects } from './matrix-objects.js';

/** Arguments of an operation with a single input. */
export const byInput =
  (input: (make: MatrixObjects) => Promise<Record<string, unknown>>) => async (make: MatrixObjects) => ({
    input: await input(make),
  });
export const ofProject = async ({ projectId }: MatrixObjects) => ({ projectId });
export const liveOfProject = async ({ projectId }: MatrixObjects) => ({ projectId, environment: 'live' });

/** Where events are reported as they are stored: the project and environment as one text. */
export const eventPlace = (projectId: string, environment: string): string => `${projectId}/${environment}`;

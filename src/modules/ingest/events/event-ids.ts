/** When an event was received: the time that its id, a UUID of version 7, begins with. */
export const receivedAtOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

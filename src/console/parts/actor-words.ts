/** Who did it: a member by email; keys and parts of the server have none. */
export function actorWords(actorId: string, email: string): string {
  if (email) return email;
  if (actorId.startsWith('key:')) return `a key (${actorId.slice(-6)})`;
  return actorId === 'anonymous' ? 'someone not signed in' : actorId;
}

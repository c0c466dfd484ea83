import { MemberChoicesDocument, type MemberChoicesQuery } from '#documents';
import { useChoices } from './use-choices.js';

interface MemberUser {
  id: string;
  email: string;
}

const usersOf = ({ members }: MemberChoicesQuery) =>
  members && { ...members, nodes: members.nodes.flatMap(({ user }) => user ?? []) };

/** Organization members to choose from, by user id. */
export function useMembers(options: { chosen?: MemberUser | null; pause?: boolean } = {}): {
  members: { value: string; label: string }[];
  onSearchChange: (typed: string) => void;
} {
  const { rows, search } = useChoices(MemberChoicesDocument, {}, usersOf, options);
  return { members: rows.map(({ id: value, email: label }) => ({ value, label })), onSearchChange: search };
}

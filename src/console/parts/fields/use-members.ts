import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { MemberChoicesDocument } from '#documents';
import { useDocument } from '../../data/use-document.js';

/** Members of the organization to choose from, by the ids of their users; those that are not among the first are found by what is typed. */
export function useMembers({ pause = false } = {}): {
  members: { value: string; label: string }[];
  onSearchChange: (typed: string) => void;
} {
  const [typed, onSearchChange] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 150);
  const { data } = useDocument(MemberChoicesDocument, { search: null }, { requestPolicy: 'cache-first', pause });
  const hasMore = data?.members?.pageInfo.hasNextPage ?? false;
  const { data: found } = useDocument(
    MemberChoicesDocument,
    { search },
    { pause: !hasMore || !search, standsIn: true },
  );
  const users = [data, found].flatMap((answer) => answer?.members?.nodes.map(({ user }) => user) ?? []);
  const emails = new Map(users.map(({ id, email }) => [id, email] as const));
  return { members: [...emails].map(([value, label]) => ({ value, label })), onSearchChange };
}

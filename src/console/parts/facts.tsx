import type { ReactNode } from 'react';

/** A name with what it stands for; another one may have the same name. */
interface Fact {
  id: string;
  name: string;
  fact: ReactNode;
}

/** Names with what they stand for. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> | readonly Fact[] }) {
  const list = Array.isArray(facts)
    ? (facts as readonly Fact[])
    : Object.entries(facts).map(([name, fact]) => ({ id: name, name, fact: fact as ReactNode }));
  return (
    <dl className="facts">
      {list.map(({ id, name, fact }) => (
        <div key={id} className="fact">
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from 'react';

/** A name and its value; names may repeat. */
interface Fact {
  id: string;
  name: string;
  fact: ReactNode;
}

/** A list of names and values. */
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

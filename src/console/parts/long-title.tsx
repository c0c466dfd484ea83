import { Title, UnstyledButton } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';

interface LongTitleProps {
  heading: RefObject<HTMLHeadingElement | null>;
  children: string;
}

/** A title of a sentence or more, such as a crash's. Cut to three lines, with a button to expand it. */
export function LongTitle({ heading, children }: LongTitleProps) {
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const shown = heading.current;
    if (!shown || isWhole) return undefined;
    const measured = new ResizeObserver(() => setCut(shown.scrollHeight > shown.clientHeight));
    measured.observe(shown);
    return () => measured.disconnect();
  }, [heading, isWhole]);
  return (
    <div className="title-whole">
      <Title order={1} ref={heading} tabIndex={-1} className="title title-long" data-whole={isWhole || undefined}>
        {children}
      </Title>
      {isCut && (
        <UnstyledButton className="title-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show full title'}
        </UnstyledButton>
      )}
    </div>
  );
}

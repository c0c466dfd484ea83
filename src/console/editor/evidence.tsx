import { Anchor, Text } from '@mantine/core';

const LONGEST = 2_048;

/** A link that people may follow, by the server's rules for evidence. */
export const isWebLink = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The link given as evidence for a halt, if there is one. */
export function Evidence({ url }: { url: unknown }) {
  if (!isWebLink(url)) return null;
  return (
    <Text size="sm" my={6}>
      Evidence:{' '}
      <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
        {url}
      </Anchor>
    </Text>
  );
}

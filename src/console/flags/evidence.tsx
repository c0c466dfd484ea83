import { Anchor, Text } from '@mantine/core';

const LONGEST = 2_048;

/** A link that people may follow, as the server takes it for evidence. */
export const isWebLink = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LONGEST && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** The link to what a halt was made for, where the data of its event have one. */
export function Evidence({ data }: { data: unknown }) {
  const { evidence_url: url } = (data ?? {}) as Readonly<Record<string, unknown>>;
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

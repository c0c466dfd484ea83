import { Button, CopyButton, Group } from '@mantine/core';

/** A text with a Copy button. */
export function Snippet({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <div>
      <pre className="code">{text}</pre>
      <Group justify="flex-end" mt={6}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" size="compact-xs" onClick={copy}>
              {copied ? 'Copied' : label}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}

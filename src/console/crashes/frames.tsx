import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CrashFrameStatus } from '#documents';

interface Frame {
  function: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
  module: string | null;
  inApp: boolean | null;
  inlined: boolean;
  status: CrashFrameStatus;
  reason: string | null;
}

/** Where it happened, innermost first; what the client sent is one press away. */
export function Frames({ frames, raw }: { frames: readonly Frame[]; raw: string | null }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <Stack gap="xs">
      {raw && (
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-xs" onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Read frames' : 'As it was sent'}
          </Button>
        </Group>
      )}
      {isRaw || frames.length === 0 ? (
        <pre className="code">{raw ?? 'The event has no frames.'}</pre>
      ) : (
        <div>
          {frames.map((frame, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: frames are told apart by their place alone
            <div key={at} className={frame.inApp === false ? 'frame frame-foreign' : 'frame'}>
              <Text size="sm" className="mono">
                {frame.function ?? frame.module ?? '?'}{' '}
                {frame.inlined && (
                  <Badge color="gray" size="xs">
                    inlined
                  </Badge>
                )}
              </Text>
              <Text size="xs" c="dimmed" className="mono">
                {placeOf(frame)}
                {frame.status === 'symbolicated' ? '' : ` · ${frame.reason ?? frame.status.replaceAll('_', ' ')}`}
              </Text>
            </div>
          ))}
        </div>
      )}
    </Stack>
  );
}

const placeOf = ({ file, line, column, module }: Frame): string =>
  [file ?? module ?? '', line, column].filter((part) => part !== null && part !== '').join(':');

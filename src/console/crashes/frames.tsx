import './crashes.css';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { IssueEventsQuery } from '#documents';
import { Muted } from '../parts/text.js';
import { SourceLines } from './source-lines.js';

type Frame = NonNullable<IssueEventsQuery['crashIssue']>['events']['nodes'][number]['frames'][number];

/** The stack trace, innermost frame first, with the client's raw version one click away. The app's first frame is expanded. */
export function Frames({ frames, raw }: { frames: readonly Frame[]; raw: string | null }) {
  const [isRaw, setRaw] = useState(false);
  const opened = frames.findIndex(({ context, inApp }) => context && inApp !== false);
  return (
    <Stack gap="xs">
      {raw && (
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-xs" onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Symbolicated' : 'Raw'}
          </Button>
        </Group>
      )}
      {isRaw || frames.length === 0 ? (
        <pre className="code">{raw ?? 'The event has no frames.'}</pre>
      ) : (
        <div>
          {frames.map((frame, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: frames have no identity other than their position
            <FrameRow key={at} frame={frame} isOpened={at === opened} />
          ))}
        </div>
      )}
    </Stack>
  );
}

function FrameRow({ frame, isOpened }: { frame: Frame; isOpened: boolean }) {
  const className = frame.inApp === false ? 'frame frame-foreign' : 'frame';
  if (!frame.context)
    return (
      <div className={className}>
        <FrameName frame={frame} />
      </div>
    );
  return (
    <details className={className} open={isOpened}>
      <summary>
        <FrameName frame={frame} />
      </summary>
      <SourceLines context={frame.context} line={frame.context.lineNumber ?? frame.line ?? 1} />
    </details>
  );
}

function FrameName({ frame }: { frame: Frame }) {
  return (
    <div className="frame-name">
      <Text size="sm" className="mono" span>
        {frame.function ?? frame.module ?? '?'}{' '}
        {frame.inlined && (
          <Badge color="gray" size="xs">
            Inlined
          </Badge>
        )}
      </Text>
      <Muted size="xs" className="mono">
        {placeOf(frame)}
        {frame.status === 'symbolicated' ? '' : ` · ${frame.reason ?? frame.status.replaceAll('_', ' ')}`}
      </Muted>
      {frame.alternatives?.map((other) => (
        <Text size="xs" className="mono soft" key={`${other.module}.${other.function}:${other.line}`}>
          {`<OR> at ${other.module}.${other.function}(${[other.file, other.line].filter((part) => part !== null).join(':')})`}
        </Text>
      ))}
    </div>
  );
}

const placeOf = ({ file, line, column, module }: Frame): string =>
  [file ?? module ?? '', line, column].filter((part) => part !== null && part !== '').join(':');

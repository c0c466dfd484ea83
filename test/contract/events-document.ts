import { describeEventKinds } from '../../src/modules/webhooks/subscriptions/event-kinds.js';

const INTRODUCTION = `# Events

Every change is stored as an event together with the change itself. A webhook subscription names the events that it wants by
pattern: \`*\`, \`module.*\`, \`module.entity.*\` or one kind. This page is made from \`src/events/catalog.ts\` by \`npm run schema\`; the
GraphQL query \`eventKinds\` answers the same.

## Deliveries

A delivery is a POST with a JSON body:

| field | meaning |
| --- | --- |
| \`type\` | the kind of event |
| \`timestamp\` | when it happened, ISO 8601 |
| \`data\` | by kind, below; e-mail addresses are blacked out |
| \`id\` | \`evt_…\`, the same in every attempt and every replay: drop what you have seen |
| \`organization_id\`, \`project_id\`, \`environment\` | where it happened; the last two may be null |
| \`object\` | \`{type, id}\` of what it is about |
| \`sequence\` | grows from one event of an object to the next (gaps are possible): an older one that arrives late can be told |

It is signed as [Standard Webhooks](https://www.standardwebhooks.com) say: \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature: v1,<base64>\`; any of their libraries verifies it with the subscription's \`whsec_…\` secret. For 24 hours after a
rotation both secrets sign.

Answer 2xx within 15 seconds. Anything else, redirects included, is tried again after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h,
14 h and 20 h (each ±20 %; a \`Retry-After\` on 429 and 503 can lengthen a pause, up to a day), then becomes a dead letter that can be
replayed for 30 days. What was delivered, or waits, can be sent again as well (\`replayDeliveries\`, or **Send again** in the console). 410 ends the delivery and switches the subscription off, and so do five days without one success.

## Kinds
`;

interface DataSchema {
  properties: Record<string, PropertySchema>;
  required?: string[];
}

interface PropertySchema {
  type?: string;
  const?: unknown;
  anyOf?: PropertySchema[];
  items?: PropertySchema;
}

/** What `docs/events.md` must hold. */
export function eventsDocument(): string {
  const sections = Map.groupBy(describeEventKinds(), ({ kind }) => kind.slice(0, kind.indexOf('.')));
  const parts = [...sections].map(([module, kinds]) => {
    const rows = kinds.map(({ kind, description, schema }) => {
      const { data } = (schema as { properties: { data: DataSchema } }).properties;
      return `| \`${kind}\` | ${description} | ${fieldsOf(data)} |`;
    });
    return `\n### ${module}\n\n| kind | when | \`data\` |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `${INTRODUCTION}${parts.join('')}`;
}

function fieldsOf({ properties, required = [] }: DataSchema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `\`${name}\`${required.includes(name) ? '' : '?'} ${typeOf(schema)}`,
  );
  return fields.join(', ');
}

function typeOf({ type, const: value, anyOf, items }: PropertySchema): string {
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  return items ? `list of ${typeOf(items)}` : (type ?? 'any');
}

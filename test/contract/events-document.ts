import { describeEventKinds } from '../../src/modules/webhooks/subscriptions/event-kinds.js';

const INTRODUCTION = `# Events

Every change is stored together with an event that describes it. A webhook subscription selects events by pattern: \`*\`, \`module.*\`,
\`module.entity.*\` or a single kind. \`npm run schema\` generates this page from \`src/events/catalog.ts\`; the GraphQL query
\`eventKinds\` returns the same list.

## Deliveries

A delivery is a POST with a JSON body:

| field | meaning |
| --- | --- |
| \`type\` | the kind of event |
| \`timestamp\` | when it happened, ISO 8601 |
| \`data\` | depends on the kind, see below; email addresses are redacted |
| \`id\` | \`evt_…\`, the same in every attempt and replay: ignore an id that you have already processed |
| \`organization_id\`, \`project_id\`, \`environment\` | where it happened; the last two may be null |
| \`object\` | \`{type, id}\` of the object it is about |
| \`sequence\` | increases with each event of an object (gaps are possible), so you can detect events that arrive out of order |

Deliveries are signed according to [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-id\`, \`webhook-timestamp\` and
\`webhook-signature: v1,<base64>\`. Verify them with any Standard Webhooks library and the subscription's \`whsec_…\` secret. For 24 hours
after a rotation, deliveries are signed with both secrets. Another rotation within that time drops the older of the two at once, so update the
receiver first.

Without a library: take the part of the secret after \`whsec_\`, decode it from Base64, and use it as the key of an HMAC-SHA256 over the text
\`webhook-id.webhook-timestamp.body\`, with the body's bytes as they arrived. The result in Base64 must be equal to one of the signatures, which are
separated by spaces. Also refuse a \`webhook-timestamp\` (seconds since 1970) that is more than five minutes off.

Respond with 2xx within 15 seconds. Anything else, including a redirect, is retried after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h and
20 h (each ±20 %; \`Retry-After\` on 429 and 503 can extend a delay to up to a day). After that, the delivery becomes a dead letter that you
can replay for 30 days. You can also resend a delivery that succeeded or is still waiting (\`replayDeliveries\`, or **Replay** in the
console). A 410 ends the delivery and disables the subscription, as do five days without a single success; of a longer pause between attempts, for
example because no worker ran, one day counts.

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

/** The expected text of `docs/events.md`. */
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

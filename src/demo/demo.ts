import { createQuarterdeck, type Quarterdeck } from '../sdk/browser/quarterdeck.js';

/** What `/demo/settings.json` tells of the demo project. */
interface Settings {
  readonly key: string | null;
  readonly flag_key: string | null;
  readonly survey_slug: string | null;
}

const KEPT_KEY = 'demo-key';

const byId = <Tag extends HTMLElement = HTMLElement>(id: string): Tag => document.getElementById(id) as Tag;

function log(text: string): void {
  const entry = document.createElement('li');
  entry.textContent = `${new Date().toLocaleTimeString()} ${text}`;
  byId('log').prepend(entry);
}

async function settings(): Promise<Settings> {
  const answer = await fetch('/demo/settings.json').catch(() => null);
  const told = answer?.ok ? ((await answer.json()) as Settings) : { key: null, flag_key: null, survey_slug: null };
  return { ...told, key: told.key ?? sessionStorage.getItem(KEPT_KEY) };
}

/** The readable one of black and white upon a colour such as `#16a34a`. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.18 ? '#000000' : '#ffffff';
}

function show(quarterdeck: Quarterdeck, flagKey: string): void {
  const isNew = quarterdeck.flag(flagKey, false);
  const reason = quarterdeck.flagDetails(flagKey)?.reason ?? 'not known';
  const badge = document.createElement('span');
  badge.className = 'badge';
  badge.id = 'checkout-reason';
  badge.textContent = reason;
  byId('checkout').replaceChildren(`${isNew ? 'The new checkout' : 'The old checkout'}: the flag ${flagKey} `, badge);
  byId('max-items').textContent = String(quarterdeck.config('checkout.max_items', 10));
  const color = quarterdeck.flag('button_color', '#1d4f91');
  byId('order').style.setProperty('--buy', color);
  byId('order').style.setProperty('--buy-ink', inkOn(color));
}

function work(quarterdeck: Quarterdeck, flagKey: string, survey: string): void {
  const sent = async (what: string): Promise<void> => {
    const waiting = await quarterdeck.flush();
    log(waiting === 0 ? `The server has stored ${what}.` : `${what} waits on this device: the server is away.`);
  };
  byId('order').addEventListener('click', () => {
    quarterdeck.track('order completed', { items: 3 });
    void sent('the event “order completed”');
  });
  byId('somebody').addEventListener('click', () => {
    quarterdeck.reset();
    log(`You are ${quarterdeck.distinctId} now.`);
  });
  byId('survey').addEventListener('click', async () => {
    if (!(await quarterdeck.showSurvey(survey))) log(`There is no survey “${survey}” to show.`);
  });
  byId('crash').addEventListener('click', () => {
    setTimeout(() => void sent('the crash report'));
    throw new Error('The demo broke on purpose.');
  });
  quarterdeck.onChange(({ flags, config }) => {
    show(quarterdeck, flagKey);
    log(`Changed: ${[...flags, ...config].join(', ')}.`);
  });
}

async function begin(): Promise<void> {
  const { key, flag_key: flagKey, survey_slug: survey } = await settings();
  const flag = flagKey ?? 'new_checkout';
  byId('halt').textContent =
    `curl -H "x-api-key: $(node -p 'require("./.data/first-run.json").api_keys.live')" \\\n` +
    `  -d '{"flag_key":"${flag}","reason":"demo"}' \\\n  ${location.origin}/api/switch/halt-webhook`;
  if (key === null) {
    byId('state').textContent = 'Which project is meant?';
    byId('ask').hidden = false;
    byId<HTMLFormElement>('ask').addEventListener('submit', (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEPT_KEY, byId<HTMLInputElement>('key').value.trim());
      location.reload();
    });
    return;
  }
  const quarterdeck = createQuarterdeck({ url: location.origin, key, release: 'demo', surveys: { pauseSeconds: 0 } });
  work(quarterdeck, flag, survey ?? 'recommend-us');
  await quarterdeck.ready;
  show(quarterdeck, flag);
  const isKnown = quarterdeck.flagDetails(flag) !== null;
  byId('state').textContent = isKnown
    ? `Connected as ${quarterdeck.distinctId}.`
    : 'The server could not be asked; is the key right?';
  if (!isKnown) sessionStorage.removeItem(KEPT_KEY);
}

void begin();

import { createQuarterdeck, type Quarterdeck } from '../sdk/browser/quarterdeck.js';

/** What `/demo/settings.json` says about the demo project. */
interface Settings {
  readonly key: string | null;
  readonly flag_key: string | null;
  readonly survey_slug: string | null;
  readonly project_id: string | null;
}

/** The console page that shows the result of an action. */
type ConsolePage = 'events' | 'crashes' | 'surveys' | 'flags' | 'config';

const KEPT_KEY = 'demo-key';

const byId = <Tag extends HTMLElement = HTMLElement>(id: string): Tag => document.getElementById(id) as Tag;

let projectId: string | null = null;

/** A console page's address; the console's home page if the project isn't known. */
const inConsole = (page: ConsolePage): string => (projectId === null ? '/' : `/p/${projectId}/live/${page}`);

/** Logs what happened, with a link to it in the console. */
function log(text: string, page?: ConsolePage): void {
  const entry = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  entry.append(time, ` ${text} `);
  if (page) {
    const link = document.createElement('a');
    link.href = inConsole(page);
    link.textContent = `See it in the console: ${page}`;
    entry.append(link);
  }
  byId('nothing').hidden = true;
  byId('log').prepend(entry);
}

/** Highlights an element that just changed. */
function mark(id: string): void {
  const element = byId(id);
  element.classList.remove('changed');
  // Reading the layout restarts the animation.
  element.getBoundingClientRect();
  element.classList.add('changed');
}

async function settings(): Promise<Settings> {
  const answer = await fetch('/demo/settings.json').catch(() => null);
  const served = answer?.ok
    ? ((await answer.json()) as Settings)
    : { key: null, flag_key: null, survey_slug: null, project_id: null };
  return { ...served, key: served.key ?? sessionStorage.getItem(KEPT_KEY) };
}

/** Black or white, whichever is readable on a colour such as `#16a34a`. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.18 ? '#000000' : '#ffffff';
}

function show(quarterdeck: Quarterdeck, flagKey: string): void {
  const isNew = quarterdeck.flag(flagKey, false);
  const reason = quarterdeck.flagDetails(flagKey)?.reason ?? 'unknown';
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
  const sent = async (what: string, page: ConsolePage): Promise<void> => {
    const waiting = await quarterdeck.flush();
    if (waiting === 0) log(`The server stored ${what}.`, page);
    else log(`Can't reach the server: ${what} is waiting on this device.`);
  };
  byId('order').addEventListener('click', () => {
    quarterdeck.track('order completed', { items: 3 });
    void sent('the event “order completed”', 'events');
  });
  byId('somebody').addEventListener('click', () => {
    quarterdeck.reset();
    log(`You're now ${quarterdeck.distinctId}.`);
  });
  byId('survey').addEventListener('click', async () => {
    const onClosed = (): void => log('Survey closed.', 'surveys');
    if (!(await quarterdeck.showSurvey(survey, { onClosed }))) log(`There's no survey “${survey}” to show.`, 'surveys');
  });
  byId('crash').addEventListener('click', () => {
    setTimeout(() => void sent('the crash report', 'crashes'));
    throw new Error('The demo broke on purpose.');
  });
  quarterdeck.onChange(({ flags, config }) => {
    show(quarterdeck, flagKey);
    if (flags.length > 0) mark('checkout');
    if (config.includes('checkout.max_items')) mark('max-items');
    log(`Updated without a reload: ${[...flags, ...config].join(', ')}.`, flags.length > 0 ? 'flags' : 'config');
  });
}

async function begin(): Promise<void> {
  const { key, flag_key: flagKey, survey_slug: survey, project_id: project } = await settings();
  projectId = project;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-page]'))
    link.href = inConsole(link.dataset.page as ConsolePage);
  const flag = flagKey ?? 'new_checkout';
  byId('halt').textContent =
    `curl -H "x-api-key: $(node -p 'require("./.data/first-run.json").api_keys.live')" \\\n` +
    `  -d '{"flag_key":"${flag}","reason":"demo"}' \\\n  ${location.origin}/api/switch/halt-webhook`;
  if (key === null) {
    byId('state').textContent = 'Enter a project key to continue.';
    byId('ask').hidden = false;
    byId<HTMLFormElement>('ask').addEventListener('submit', (event) => {
      event.preventDefault();
      sessionStorage.setItem(KEPT_KEY, byId<HTMLInputElement>('key').value.trim());
      location.reload();
    });
    return;
  }
  const quarterdeck = createQuarterdeck({ url: location.origin, key, release: 'demo', surveys: { pauseSeconds: 0 } });
  await quarterdeck.ready;
  work(quarterdeck, flag, survey ?? 'recommend-us');
  show(quarterdeck, flag);
  const isKnown = quarterdeck.flagDetails(flag) !== null;
  byId('state').textContent = isKnown
    ? `Connected as ${quarterdeck.distinctId}.`
    : "Can't load the demo. Check the key and that the server is running.";
  if (!isKnown) sessionStorage.removeItem(KEPT_KEY);
}

void begin();

import { createQuarterdeck, type Quarterdeck } from '../sdk/browser/quarterdeck.js';

/** What `/demo/settings.json` says about the demo project. */
interface Settings {
  readonly key: string | null;
  readonly flag_key: string | null;
  readonly survey_slug: string | null;
  readonly project_id: string | null;
}

/** Where the console shows what the page did. */
type ConsolePage = 'events' | 'crashes' | 'surveys' | 'flags' | 'config';

const KEPT_KEY = 'demo-key';

const byId = <Tag extends HTMLElement = HTMLElement>(id: string): Tag => document.getElementById(id) as Tag;

let projectId: string | null = null;

/** Address of a page of the console; its start where the project is not known. */
const inConsole = (page: ConsolePage): string => (projectId === null ? '/' : `/p/${projectId}/live/${page}`);

/** Says what happened, and where the console shows it. */
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

/** Draws the eye to what has just changed. */
function mark(id: string): void {
  const element = byId(id);
  element.classList.remove('changed');
  // Read, so that the animation begins anew.
  element.getBoundingClientRect();
  element.classList.add('changed');
}

async function settings(): Promise<Settings> {
  const answer = await fetch('/demo/settings.json').catch(() => null);
  const told = answer?.ok
    ? ((await answer.json()) as Settings)
    : { key: null, flag_key: null, survey_slug: null, project_id: null };
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
  const sent = async (what: string, page: ConsolePage): Promise<void> => {
    const waiting = await quarterdeck.flush();
    if (waiting === 0) log(`The server has stored ${what}.`, page);
    else log(`On this device waits ${what}: the server is away.`);
  };
  byId('order').addEventListener('click', () => {
    quarterdeck.track('order completed', { items: 3 });
    void sent('the event “order completed”', 'events');
  });
  byId('somebody').addEventListener('click', () => {
    quarterdeck.reset();
    log(`You are ${quarterdeck.distinctId} now.`);
  });
  byId('survey').addEventListener('click', async () => {
    const onClosed = (): void => log('The survey is closed.', 'surveys');
    if (!(await quarterdeck.showSurvey(survey, { onClosed })))
      log(`There is no survey “${survey}” to show.`, 'surveys');
  });
  byId('crash').addEventListener('click', () => {
    setTimeout(() => void sent('the crash report', 'crashes'));
    throw new Error('The demo broke on purpose.');
  });
  quarterdeck.onChange(({ flags, config }) => {
    show(quarterdeck, flagKey);
    if (flags.length > 0) mark('checkout');
    if (config.includes('checkout.max_items')) mark('max-items');
    log(`Changed without a reload: ${[...flags, ...config].join(', ')}.`, flags.length > 0 ? 'flags' : 'config');
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
  await quarterdeck.ready;
  work(quarterdeck, flag, survey ?? 'recommend-us');
  show(quarterdeck, flag);
  const isKnown = quarterdeck.flagDetails(flag) !== null;
  byId('state').textContent = isKnown
    ? `Connected as ${quarterdeck.distinctId}.`
    : 'The server could not be asked; is the key right?';
  if (!isKnown) sessionStorage.removeItem(KEPT_KEY);
}

void begin();

import type { Submitted, SurveyBundle, SurveyHooks, SurveyView } from '../core/surveys/survey-bundle.js';
import { SurveyFlow } from '../core/surveys/survey-flow.js';
import { element } from './dom.js';
import { type QuestionField, questionField } from './question-fields.js';
import { applyTheme, widgetSheet } from './widget-style.js';
import { languagesOf, wordsFor } from './widget-words.js';
import type { GivenWords, Words } from './words.js';

const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ks|ku-arab|ps|sd|ug|ur|yi)\b/i;
const KEYS = ['keydown', 'keyup', 'keypress'] as const;

/** The library's own survey view in a language: a card in a corner, isolated from the page in its own shadow root. */
export async function widgetIn(locale: string, given?: GivenWords): Promise<SurveyView> {
  const words = await wordsFor(locale, given);
  return (bundle, hooks) => {
    const widget = new SurveyWidget(bundle, hooks, words);
    return () => widget.remove();
  };
}

class SurveyWidget {
  private readonly host = document.createElement('quarterdeck-survey');
  private readonly root = this.host.attachShadow({ mode: 'open' });
  private readonly flow: SurveyFlow;
  private readonly fault = element('p', { class: 'fault', id: 'fault', role: 'alert' });
  private readonly form = element('form', { novalidate: true });
  private readonly spoken = element('p', { class: 'spoken', role: 'status' });
  private readonly returnTo = document.activeElement;
  private field: QuestionField | null = null;
  private isSending = false;

  constructor(
    private readonly bundle: SurveyBundle,
    private readonly hooks: SurveyHooks,
    private readonly words: Words,
  ) {
    this.flow = new SurveyFlow(bundle);
    const { host, root, form } = this;
    root.adoptedStyleSheets = [widgetSheet()];
    applyTheme(host, bundle.theme);
    host.lang = hooks.locale;
    host.dir = RIGHT_TO_LEFT.test(hooks.locale) ? 'rtl' : 'ltr';
    root.append(
      element('section', { class: 'card', role: 'dialog', 'aria-labelledby': 'name' }, this.head(), form),
      this.spoken,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.goOn();
    });
    host.addEventListener('keydown', ({ key }) => key === 'Escape' && this.close());
    // A page treats keys from these fields as its shortcuts, because it cannot see that they come from a field.
    for (const name of KEYS) host.addEventListener(name, (event) => event.stopPropagation());
    this.ask();
    (document.body ?? document.documentElement).append(host);
    this.spoken.textContent = `${this.words.opened} ${this.name}`;
    if (hooks.asked) this.field?.first?.focus();
  }

  remove(): void {
    const hadFocus = document.activeElement === this.host;
    this.host.remove();
    if (hadFocus && this.returnTo instanceof HTMLElement) this.returnTo.focus();
  }

  private get name(): string {
    return this.translated('survey.name', this.bundle.survey.name);
  }

  private translated(key: string, text: string): string {
    const { translations } = this.bundle;
    const tags = new Map(Object.keys(translations).map((tag) => [tag.replaceAll('_', '-').toLowerCase(), tag]));
    const language = languagesOf(this.hooks.locale).find((tag) => tags.has(tag.toLowerCase()));
    return translations[tags.get(language?.toLowerCase() ?? '') ?? '']?.[key] ?? text;
  }

  private head(): HTMLElement {
    const logo = this.bundle.theme?.logo_url;
    const close = element('button', { type: 'button', class: 'close', 'aria-label': this.words.close }, '×');
    close.addEventListener('click', () => this.close());
    return element(
      'header',
      {},
      logo ? element('img', { class: 'logo', src: logo, alt: '' }) : null,
      element('h2', { id: 'name' }, this.name),
      close,
    );
  }

  /** Shows the current question. */
  private ask(): void {
    const question = this.flow.current;
    const { words, flow, fault, form } = this;
    fault.textContent = '';
    this.field = questionField({ question, answer: flow.answerTo(question), words, faultId: 'fault' });
    const prompt = element(
      'p',
      { class: 'prompt', id: 'prompt' },
      this.translated(`question.${question.id}.prompt`, question.prompt),
    );
    if (!question.required) prompt.append(' ', element('span', { class: 'optional' }, `(${words.optional})`));
    const back = flow.isFirst ? null : element('button', { type: 'button' }, words.back);
    back?.addEventListener('click', () => this.goBack());
    const go = element('button', { class: 'go' }, '');
    const label = (): void => {
      go.textContent = flow.isLast ? words.send : words.next;
    };
    form.replaceChildren(
      prompt,
      element('p', { class: 'help', id: 'help' }, question.help_text ?? ''),
      this.field?.element ?? '',
      fault,
      element('footer', {}, back, go),
    );
    label();
    // An answer can change whether this question is the last one.
    this.field?.element.addEventListener('change', () => {
      flow.answer(this.field?.read());
      fault.textContent = '';
      label();
    });
  }

  private async goOn(): Promise<void> {
    if (this.isSending) return;
    const { flow, words } = this;
    const question = flow.current;
    if (this.field) flow.answer(this.field.read());
    if (question.required && this.field && flow.answerTo(question) === undefined) {
      this.tell(words.required);
      return;
    }
    if (flow.advance()) {
      this.hooks.partial(flow.given, flow.current.id);
      this.turn();
      return;
    }
    this.isSending = true;
    const go = this.form.querySelector('.go');
    go?.setAttribute('aria-disabled', 'true');
    if (go) go.textContent = words.sending;
    const submitted = await this.hooks.submit(flow.given);
    this.isSending = false;
    this.after(submitted);
  }

  private goBack(): void {
    if (this.field) this.flow.answer(this.field.read());
    this.flow.back();
    this.turn();
  }

  private turn(): void {
    this.ask();
    this.field?.first?.focus();
  }

  private after(submitted: Submitted): void {
    const { words, flow } = this;
    if (submitted.is === 'stored') this.end(words.thanks);
    else if (submitted.is === 'over') this.end(words.over);
    else {
      const faults = submitted.is === 'invalid' ? submitted.faults : [];
      const fault = faults.find(({ question_id }) => flow.goTo(question_id));
      this.turn();
      this.tell(!fault ? words.failed : fault.reason ? words.invalid : words.required);
    }
  }

  private tell(fault: string): void {
    this.fault.textContent = fault;
    this.field?.first?.focus();
  }

  private end(text: string): void {
    const close = element('button', { type: 'button', class: 'go' }, this.words.close);
    close.addEventListener('click', () => this.close());
    this.form.replaceChildren(element('p', { class: 'prompt', role: 'status' }, text), element('footer', {}, close));
    close.focus();
  }

  private close(): void {
    this.remove();
    this.hooks.closed();
  }
}

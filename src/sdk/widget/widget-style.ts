import type { SurveyBundle } from '../core/surveys/survey-bundle.js';

const STYLE = `
:host { all: initial; position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000;
  --bg: var(--quarterdeck-background, #ffffff); --fg: var(--quarterdeck-foreground, #1b1e25); --primary: var(--quarterdeck-primary, #3b4fd0);
  color-scheme: light; --on-primary: var(--quarterdeck-on-primary, #ffffff); --line: color-mix(in srgb, var(--fg) 55%, var(--bg));
  font: 15px/1.45 var(--quarterdeck-font, system-ui, sans-serif); color: var(--fg); }
:host([data-dark]) { color-scheme: dark; --bg: var(--quarterdeck-background, #1d2027); --fg: var(--quarterdeck-foreground, #f3f4f7);
  --primary: var(--quarterdeck-primary, #a5b4ff); --on-primary: var(--quarterdeck-on-primary, #14161b); }
* { box-sizing: border-box; font: inherit; color: inherit; }
.card { width: min(26rem, calc(100vw - 32px)); max-height: calc(100dvh - 32px); overflow: auto; padding: 20px; border-radius: 14px;
  background: var(--bg); border: 1px solid color-mix(in srgb, var(--fg) 18%, var(--bg)); box-shadow: 0 12px 40px rgb(0 0 0 / .22); animation: rise .22s ease-out; }
@keyframes rise { from { opacity: 0; transform: translateY(12px); } }
@media (prefers-reduced-motion: reduce) { .card { animation: none; } }
header { display: flex; gap: 12px; align-items: start; justify-content: space-between; margin-block-end: 12px; }
h2 { margin: 0; font-size: 13px; font-weight: 600; opacity: .85; }
.logo { max-height: 28px; max-width: 120px; }
.prompt { margin: 0 0 4px; font-size: 17px; font-weight: 600; }
.help { margin: 0 0 12px; font-size: 14px; }
h2, .prompt, .help, .list span { unicode-bidi: plaintext; overflow-wrap: anywhere; }
.prompt .optional { font-size: 13px; font-weight: 400; }
.fault { margin: 10px 0 0; font-weight: 600; }
.fault:not(:empty)::before { content: '⚠ '; }
button { padding: 9px 16px; border-radius: 9px; border: 1px solid var(--line); background: transparent; cursor: pointer; }
button.go { background: var(--primary); border-color: var(--primary); color: var(--on-primary); font-weight: 600; }
button.close { padding: 2px 9px; border: none; font-size: 20px; line-height: 1.3; }
button[aria-disabled] { opacity: .7; cursor: progress; }
footer { display: flex; justify-content: space-between; gap: 10px; margin-block-start: 18px; }
footer .go { margin-inline-start: auto; }
.typed { width: 100%; padding: 9px 11px; border: 1px solid var(--line); border-radius: 9px; background: var(--bg); resize: vertical; }
.list .choices { display: grid; gap: 8px; }
.list label { display: flex; gap: 10px; align-items: center; padding: 9px 11px; border: 1px solid var(--line); border-radius: 9px; cursor: pointer; }
.list input { flex: none; width: 17px; height: 17px; margin: 0; accent-color: var(--primary); }
.scale .choices { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 4px; }
@media (max-width: 25rem) { .scale .choices:has(:nth-child(8)) { grid-auto-flow: row; grid-template-columns: repeat(6, 1fr); } }
.scale label { position: relative; }
.scale input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.scale span { display: grid; place-items: center; min-height: 38px; border: 1px solid var(--line); border-radius: 8px; }
.scale input:checked + span { background: var(--primary); border-color: var(--primary); color: var(--on-primary); font-weight: 700; }
.ends { display: flex; justify-content: space-between; margin-block-start: 6px; font-size: 13px; }
.ends span { all: unset; }
button:focus-visible, .typed:focus-visible, .list label:focus-within, .scale input:focus-visible + span, .card:focus-visible
  { outline: 3px solid var(--primary); outline-offset: 2px; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/**
 * The widget's style as a constructed style sheet, which a page's content security policy allows where it would block a
 * `<style>` element.
 */
export function widgetSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}

/**
 * Sets the theme as custom properties of the host; a page can override them for `quarterdeck-survey` with `!important`.
 */
export function applyTheme(host: HTMLElement, theme: SurveyBundle['theme']): void {
  const { primary_color, background_color, foreground_color, font_family, dark_mode } = theme ?? {};
  const isDark =
    dark_mode ?? (background_color ? !isLight(background_color) : matchMedia('(prefers-color-scheme: dark)').matches);
  host.toggleAttribute('data-dark', isDark);
  const set = (name: string, value: string | null | undefined): void => {
    if (value) host.style.setProperty(`--quarterdeck-${name}`, value);
  };
  set('primary', primary_color);
  set('on-primary', primary_color && readableOn(primary_color));
  set('background', background_color);
  set('foreground', foreground_color ?? (background_color && readableOn(background_color)));
  set('font', font_family);
}

const readableOn = (color: string): string => (isLight(color) ? '#14161b' : '#ffffff');

/** Whether dark text is more readable than white on a hex color: its relative luminance (WCAG 2.2) is over 0.179. */
function isLight(color: string): boolean {
  const digits = color.slice(1);
  const width = digits.length > 4 ? 2 : 1;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((at) => {
    const part = digits.slice(at * width, (at + 1) * width);
    const share = Number.parseInt(width === 1 ? part + part : part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

import { Badge, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const deck: MantineColorsTuple = [
  '#edf5fb',
  '#d9e7f2',
  '#b0cee6',
  '#84b3da',
  '#609dd0',
  '#488fca',
  '#2f79b4',
  '#1f6299',
  '#16507f',
  '#0f3d63',
];

const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fbdcd9',
  '#f5b5af',
  '#ee8b82',
  '#ff8a80',
  '#dc4a3d',
  '#c93429',
  '#b3261e',
  '#96201a',
  '#7a1a15',
];

/** What a badge's colour means, by the name Mantine uses for its other components. */
const ROLES: Readonly<Record<string, string>> = {
  teal: 'var(--good)',
  red: 'var(--bad)',
  orange: 'var(--warn)',
  yellow: 'var(--warn)',
};

/** Small type, tight corners, little shadow: people come for the rows. */
export const theme = createTheme({
  primaryColor: 'deck',
  respectReducedMotion: true,
  primaryShade: { light: 7, dark: 6 },
  colors: { deck, red },
  fontFamily:
    '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Inter, "Noto Sans", Ubuntu, "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'sm',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' } } },
  components: {
    Button: { defaultProps: { size: 'xs', fw: 500 } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', allowDeselect: false } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    // Names, phrases and patterns contain commas; a column pasted from a spreadsheet has one value per line.
    // Rules, phrases and ids are case-sensitive.
    TagsInput: {
      defaultProps: {
        size: 'xs',
        splitChars: ['\r', '\n'],
        isDuplicate: (tag: string, tags: string[]) => tags.includes(tag),
      },
    },
    MultiSelect: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Switch: { defaultProps: { size: 'sm' } },
    Tabs: { defaultProps: { keepMounted: false } },
    Badge: Badge.extend({
      defaultProps: { variant: 'light', size: 'sm', radius: 'sm' },
      styles: { root: { textTransform: 'none' } },
      vars: (_theme, { color, variant }) => {
        const ink = ROLES[String(color)] ?? 'var(--ink-soft)';
        const isFilled = variant === 'filled';
        return {
          root: {
            '--badge-bg': isFilled ? ink : `color-mix(in srgb, ${ink} 11%, var(--panel))`,
            '--badge-color': isFilled ? 'var(--panel)' : ink,
          },
        };
      },
    }),
    Anchor: { defaultProps: { underline: 'always' } },
    ModalRoot: { defaultProps: { centered: false, yOffset: '8dvh', transitionProps: { duration: 80 } } },
    Tooltip: { defaultProps: { multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
});

/** Colours by meaning. Nothing else in the console names a palette colour for these. */
export const colorsOfRoles: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mark': '#123f66',
    '--live': '#b3261e',
    '--live-soft': '#fdf0ee',
    '--on-live': '#ffffff',
    '--test': '#4a5a6b',
    '--on-test': '#ffffff',
    '--ink': '#16202a',
    '--ink-side': '#36434f',
    '--good': '#17663a',
    '--warn': '#8a5a00',
    '--bad': '#b3261e',
    '--ink-soft': '#56606b',
    '--line': '#dbe1e7',
    '--line-soft': '#ebeff2',
    '--hover': '#eef3f8',
    '--chosen': '#e2ebf3',
    '--panel': '#ffffff',
    '--ground': '#f6f8fa',
    '--mantine-color-text': '#16202a',
    '--mantine-color-dimmed': '#56606b',
    '--mantine-color-error': '#b3261e',
    // Buttons without a frame look like what they are: something to press, or something that removes.
    '--mantine-color-deck-light-color': '#1f6299',
    '--mantine-color-red-light-color': '#b3261e',
  },
  dark: {
    '--mark': '#2f79b4',
    '--live': '#ff8a80',
    '--live-soft': '#331d1c',
    '--on-live': '#2b0f0d',
    '--test': '#a9b4bf',
    '--on-test': '#14171b',
    '--ink': '#e4e9ee',
    '--ink-side': '#c3ccd5',
    '--good': '#6fd39a',
    '--warn': '#f2bd5b',
    '--bad': '#ff8a80',
    '--ink-soft': '#a9b4bf',
    '--line': '#333b44',
    '--line-soft': '#272e36',
    '--hover': '#222932',
    '--chosen': '#233040',
    '--panel': '#1a1f25',
    '--ground': '#12161b',
    '--mantine-color-body': '#1a1f25',
    '--mantine-color-text': '#e4e9ee',
    '--mantine-color-dimmed': '#a9b4bf',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-deck-light-color': '#84b3da',
    '--mantine-color-red-light-color': '#ff8a80',
  },
});

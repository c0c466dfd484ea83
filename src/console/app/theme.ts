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

/** What a badge's colour says, by the name that Mantine's other parts know it by. */
const ROLES: Readonly<Record<string, string>> = {
  teal: 'var(--good)',
  red: 'var(--bad)',
  orange: 'var(--warn)',
  yellow: 'var(--warn)',
};

/** Small type, small corners, little shadow: rows are what one came for. */
export const theme = createTheme({
  primaryColor: 'deck',
  respectReducedMotion: true,
  primaryShade: { light: 7, dark: 6 },
  colors: { deck, red },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'sm',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' } } },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', allowDeselect: false } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
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
    Modal: { defaultProps: { centered: false, yOffset: '8dvh' } },
    Tooltip: { defaultProps: { multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
});

/** Colours by what they say; nothing else in the console names a colour of the palette for these. */
export const colorsOfRoles: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--live': '#b3261e',
    '--live-soft': '#fdf0ee',
    '--test': '#5b6672',
    '--test-soft': '#eef1f4',
    '--good': '#17663a',
    '--warn': '#8a5a00',
    '--bad': '#b3261e',
    '--ink-soft': '#56606b',
    '--line': '#dfe4e9',
    '--panel': '#ffffff',
    '--ground': '#f6f8fa',
    '--mantine-color-dimmed': '#56606b',
    '--mantine-color-error': '#b3261e',
  },
  dark: {
    '--live': '#ff8a80',
    '--live-soft': '#3a1f1d',
    '--test': '#a9b4bf',
    '--test-soft': '#262c33',
    '--good': '#6fd39a',
    '--warn': '#f2bd5b',
    '--bad': '#ff8a80',
    '--ink-soft': '#a9b4bf',
    '--line': '#333a42',
    '--panel': '#1b1f24',
    '--ground': '#14171b',
    '--mantine-color-body': '#1b1f24',
    '--mantine-color-dimmed': '#a9b4bf',
    '--mantine-color-error': '#ff8a80',
  },
});

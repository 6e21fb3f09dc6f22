import { Alert, Anchor, createTheme, type MantineColorsTuple } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#ecfdf9',
  '#d3f7ef',
  '#a5eedf',
  '#72e2cd',
  '#45cfb7',
  '#22b8a0',
  '#0f9583',
  '#0b7a6d',
  '#0a6259',
  '#084f48',
];

/** One look for console and reader; every color pair in use has a contrast of 4.5 or more in both schemes. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand: teal },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' } } },
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'hover' } }),
    // Its color is too pale for text; the bar and the ground say which kind it is.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
  },
});

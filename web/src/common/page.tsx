import '@mantine/core/styles.css';
import './styles.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { useCommonTexts } from './i18n.js';
import { theme } from './theme.js';

/** Renders what needs nothing of the API into the page. */
export function renderPage(content: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Themed>{content}</Themed>
    </StrictMode>,
  );
}

/** The theme, and in the viewer's language the name of what closes dialogs and messages: Mantine's own has none. */
function Themed({ children }: { readonly children: ReactNode }) {
  const close = useCommonTexts()('act.close');
  const named = useMemo(() => {
    const defaultProps = { 'aria-label': close };
    return mergeThemeOverrides(theme, { components: { CloseButton: { defaultProps } } });
  }, [close]);
  return (
    <MantineProvider theme={named} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { ApolloProvider } from '@apollo/client/react';
import { CloseButton, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { lazy, type ReactNode, StrictMode, Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './client.js';
import { useCommonTexts } from './i18n.js';
import { useIsExpired } from './session.js';
import { theme } from './theme.js';

const SignInAgain = lazy(() => import('./sign-in-again.js'));

/** Everything that an app of this package stands in; renders it into the page. */
export function renderApp(app: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <Themed>
          <Notifications position="bottom-right" />
          <Expired />
          {app}
        </Themed>
      </ApolloProvider>
    </StrictMode>,
  );
}

/** The theme, and in the viewer's language the name of what closes dialogs and messages: Mantine's own has none. */
function Themed({ children }: { readonly children: ReactNode }) {
  const close = useCommonTexts()('act.close');
  const named = useMemo(() => {
    const defaultProps = { 'aria-label': close };
    return mergeThemeOverrides(theme, { components: { CloseButton: CloseButton.extend({ defaultProps }) } });
  }, [close]);
  return (
    <MantineProvider theme={named} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

function Expired() {
  return useIsExpired() ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}

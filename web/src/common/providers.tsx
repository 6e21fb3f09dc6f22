import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { ApolloProvider } from '@apollo/client/react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { lazy, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './client.js';
import { useIsExpired } from './session.js';
import { theme } from './theme.js';

const SignInAgain = lazy(() => import('./sign-in-again.js'));

/** Everything that an app of this package stands in; renders it into the page. */
export function renderApp(app: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <Notifications position="bottom-right" />
          <Expired />
          {app}
        </MantineProvider>
      </ApolloProvider>
    </StrictMode>,
  );
}

function Expired() {
  return useIsExpired() ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}

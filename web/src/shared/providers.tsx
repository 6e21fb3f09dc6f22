import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { ApolloProvider } from '@apollo/client/react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './client.js';
import { SignInAgain } from './sign-in.js';
import { theme } from './theme.js';

/** Everything that an app of this package stands in; renders it into the page. */
export function renderApp(app: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <Notifications position="bottom-right" />
          <SignInAgain />
          {app}
        </MantineProvider>
      </ApolloProvider>
    </StrictMode>,
  );
}

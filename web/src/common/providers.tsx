import { ApolloProvider } from '@apollo/client/react';
import { type ReactNode, Suspense } from 'react';
import { client } from './client.js';
import { renderPage } from './page.js';
import { useIsExpired } from './session.js';
import { ErrorBoundary } from './ui/error-boundary.js';
import { loadedLater } from './ui/loaded-later.js';

const ActionMessages = loadedLater(() => import('./ui/action-messages.js'));
const SignInAgain = loadedLater(() => import('./sign-in-again.js'));

/** Everything that an app of this package stands in; renders it into the page. */
export function renderApp(app: ReactNode): void {
  renderPage(
    <ApolloProvider client={client}>
      <ErrorBoundary>
        <Suspense>
          <ActionMessages />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary>
        <Expired />
      </ErrorBoundary>
      <ErrorBoundary>{app}</ErrorBoundary>
    </ApolloProvider>,
  );
}

function Expired() {
  return useIsExpired() ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}

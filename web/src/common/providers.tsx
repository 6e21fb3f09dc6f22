import { ApolloProvider } from '@apollo/client/react';
import { lazy, type ReactNode, Suspense } from 'react';
import { client } from './client.js';
import { renderPage } from './page.js';
import { useIsExpired } from './session.js';

const ActionMessages = lazy(() => import('./ui/action-messages.js'));
const SignInAgain = lazy(() => import('./sign-in-again.js'));

/** Everything that an app of this package stands in; renders it into the page. */
export function renderApp(app: ReactNode): void {
  renderPage(
    <ApolloProvider client={client}>
      <Suspense>
        <ActionMessages />
      </Suspense>
      <Expired />
      {app}
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

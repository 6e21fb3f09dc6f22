import { lazy, Suspense } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { renderApp } from '../shared/providers.js';
import { NotFound } from '../shared/ui/not-found.js';
import { RoomError } from '../shared/ui/route-error.js';
import { FeedPage } from './feed/feed-page.js';
import { PostSkeletons } from './post/post-skeletons.js';
import { Shell } from './shell/shell.js';

const PostPage = lazy(() => import('./post/post-page.js'));
const PersonPage = lazy(() => import('./people/person-page.js'));
const SearchPage = lazy(() => import('./people/search-page.js'));
const InboxPage = lazy(() => import('./inbox/inbox-page.js'));
const SettingsPage = lazy(() => import('./settings/settings-page.js'));

const later = (page: React.ReactNode) => <Suspense fallback={<PostSkeletons />}>{page}</Suspense>;

const router = createBrowserRouter(
  [
    {
      element: <Shell />,
      errorElement: <RoomError />,
      children: [
        { index: true, element: <FeedPage key="ranked" order="RANKED" /> },
        { path: 'latest', element: <FeedPage key="latest" order="LATEST" /> },
        { path: 'posts/:postId', element: later(<PostPage />) },
        { path: 'people/:userId', element: later(<PersonPage />) },
        { path: 'search', element: later(<SearchPage />) },
        { path: 'inbox', element: later(<InboxPage />) },
        { path: 'settings', element: later(<SettingsPage />) },
        { path: '*', element: <NotFound home="/" /> },
      ],
    },
  ],
  { basename: '/app' },
);

renderApp(<RouterProvider router={router} />);

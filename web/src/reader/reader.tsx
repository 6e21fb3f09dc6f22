import { type ReactNode, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { ErrorBoundary } from '../common/ui/error-boundary.js';
import { loadedLater } from '../common/ui/loaded-later.js';
import { FeedPage } from './feed/feed-page.js';
import { PostSkeletons } from './post/post-skeletons.js';
import { Shell } from './shell/shell.js';

const PostPage = loadedLater(() => import('./post/post-page.js'));
const PersonPage = loadedLater(() => import('./people/person-page.js'));
const SearchPage = loadedLater(() => import('./people/search-page.js'));
const InboxPage = loadedLater(() => import('./inbox/inbox-page.js'));
const SettingsPage = loadedLater(() => import('./settings/settings-page.js'));
const NothingHere = loadedLater(() => import('./shell/nothing-here.js'));

const page = (name: string, content: ReactNode) => (
  <ErrorBoundary key={name}>
    <Suspense fallback={<PostSkeletons />}>{content}</Suspense>
  </ErrorBoundary>
);

/** All pages of the reader: the feed at once, each other one when it is entered first. */
export function Reader() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route index element={page('ranked', <FeedPage order="RANKED" />)} />
        <Route path="latest" element={page('latest', <FeedPage order="LATEST" />)} />
        <Route path="posts/:postId" element={page('post', <PostPage />)} />
        <Route path="people/:userId" element={page('person', <PersonPage />)} />
        <Route path="search" element={page('search', <SearchPage />)} />
        <Route path="inbox" element={page('inbox', <InboxPage />)} />
        <Route path="settings" element={page('settings', <SettingsPage />)} />
        <Route path="*" element={page('nothing', <NothingHere />)} />
      </Route>
    </Routes>
  );
}

import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { Newspaper, Settings, SquarePen } from 'lucide-react';
import { Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useCommonTexts } from '../../common/i18n.js';
import { identityOf, useSession } from '../../common/session.js';
import { ConnectionLine } from '../../common/ui/connection-line.js';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { usePageChange } from '../../common/ui/page-change.js';
import { ViewerMenu } from '../../common/ui/viewer-menu.js';
import { ComposerDialog, openComposer } from '../composer/composer-dialog.js';
import { useLiveInbox } from '../inbox/live-inbox.js';
import { useReaderTexts } from '../texts.js';
import { Navigation } from './navigation.js';
import classes from './shell.module.css';
import { useShortcuts } from './shortcuts.js';

const Aside = loadedLater(() => import('./aside.js'));
const PushKeeper = loadedLater(() => import('../settings/push-keeper.js'));
const Outside = loadedLater(() => import('./outside.js'));

/** The frame of the reader: where one can go, the page in the middle, and what is beside it on a wide screen. */
export function Shell() {
  const session = useSession();
  // Of what one person has typed or opened another one sees nothing.
  if (session) return <Inside key={identityOf(session)} />;
  return (
    <Suspense>
      <Outside />
    </Suspense>
  );
}

function Inside() {
  const t = useCommonTexts();
  const r = useReaderTexts();
  const { pathname } = useLocation();
  const isFeed = pathname === '/' || pathname === '/latest';
  usePageChange('content');
  useLiveInbox();
  useShortcuts();
  return (
    <>
      <a href="#content" className="skip-link">
        {t('skip')}
      </a>
      <header className={classes.phoneTop}>
        <Brand />
        <Group gap={4}>
          <ViewerMenu />
          <ActionIcon
            component={Link}
            to="/settings"
            variant="subtle"
            color="gray"
            size="lg"
            radius="xl"
            aria-label={r('nav.settings')}
          >
            <Settings size={20} aria-hidden />
          </ActionIcon>
        </Group>
      </header>
      <div className={classes.frame}>
        <nav className={classes.side} aria-label={t('menu')}>
          <Brand />
          <Navigation />
          <Button
            className={classes.wideOnly}
            size="md"
            radius="xl"
            mt="md"
            leftSection={<SquarePen size={18} aria-hidden />}
            onClick={openComposer}
          >
            {r('composer.open')}
          </Button>
          <div className={classes.spacer} />
          <Box className={classes.wideOnly} px={6}>
            <ViewerMenu />
          </Box>
        </nav>
        <main id="content" tabIndex={-1} className={classes.main}>
          <div className={classes.connection}>
            <ConnectionLine />
          </div>
          <Outlet />
        </main>
        <aside className={classes.aside} aria-label={r('aside.label')}>
          <Suspense>
            <Aside />
            <PushKeeper />
          </Suspense>
        </aside>
      </div>
      {isFeed && (
        <ActionIcon
          className={classes.floating}
          size={54}
          radius="xl"
          variant="filled"
          aria-label={r('composer.open')}
          onClick={openComposer}
        >
          <SquarePen size={22} aria-hidden style={{ display: 'block', margin: 'auto' }} />
        </ActionIcon>
      )}
      <nav className={classes.phoneBottom} aria-label={r('nav.bottom')}>
        <Navigation isPhone />
      </nav>
      <ComposerDialog />
    </>
  );
}

function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <Newspaper size={26} aria-hidden />
      <span className={classes.brandName}>tidings</span>
    </Link>
  );
}

import {
  AppShell,
  Burger,
  Button,
  Center,
  Group,
  Kbd,
  NavLink,
  Paper,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Outlet, NavLink as RouterLink, useLocation } from 'react-router';
import { useCommonTexts } from '../common/i18n.js';
import { identityOf, useSession } from '../common/session.js';
import { ConnectionLine } from '../common/ui/connection-line.js';
import { loadedLater } from '../common/ui/loaded-later.js';
import { usePageChange } from '../common/ui/page-change.js';
import { Loading } from '../common/ui/states.js';
import { ViewerMenu } from '../common/ui/viewer-menu.js';
import { mayEnter } from './section-gate.js';
import { type Section, sections } from './sections.js';
import { useConsoleTexts } from './texts.js';
import { useSandboxUrl } from './use-sandbox-url.js';

const SignInForm = loadedLater(() => import('../common/sign-in.js'));
const Palette = loadedLater(() => import('./palette.js'));

/** The frame of the console: navigation, who is signed in, the palette; the sections are inside. */
export function Shell() {
  const session = useSession();
  // Of what one person has typed or opened another one sees nothing.
  return session ? <Inside key={identityOf(session)} /> : <Outside />;
}

function Outside() {
  const t = useCommonTexts();
  useEffect(() => {
    document.title = `${t('signIn.title')} · tidings`;
  }, [t]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} w="100%" maw={460}>
        <Stack>
          <Title order={1}>{t('signIn.title')}</Title>
          <Suspense fallback={<Loading rows={3} />}>
            <SignInForm />
          </Suspense>
        </Stack>
      </Paper>
    </Center>
  );
}

function Inside() {
  const t = useCommonTexts();
  const c = useConsoleTexts();
  const [isOpen, { toggle, close }] = useDisclosure();
  usePageChange('content');
  const hasPalette = usePaletteLoaded();
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation of a phone closes when the page changes
  useEffect(close, [location.pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <a href="#content" className="skip-link">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text fw={700} size="lg" c="brand">
              tidings
            </Text>
            <Text c="dimmed" visibleFrom="xs">
              {c('console')}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <ViewerMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={c('console')} style={{ overflowY: 'auto' }}>
        <Sections />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionLine />
        <Outlet />
      </AppShell.Main>
      {hasPalette && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </AppShell>
  );
}

function Sections() {
  const c = useConsoleTexts();
  const roles = useSession()?.roles ?? [];
  const hasSandbox = useSandboxUrl() !== null;
  const shown = sections.filter(
    (section: Section) => mayEnter(section, roles) && (!section.isDevelopmentOnly || hasSandbox),
  );
  return shown.map(({ name, icon: Icon }) => (
    <NavLink
      key={name}
      component={RouterLink}
      to={`/${name}`}
      label={c(`sections.${name}`)}
      leftSection={<Icon size={18} aria-hidden />}
    />
  ));
}

const OPEN_PALETTE = 'tidings:palette';
const isApple = /^(Mac|iP)/.test(navigator.platform);

function PaletteButton() {
  const c = useConsoleTexts();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Search size={14} aria-hidden />}
      onClick={() => window.dispatchEvent(new Event(OPEN_PALETTE))}
    >
      <VisuallyHidden>{c('palette.open')} </VisuallyHidden>
      <Kbd size="xs">{isApple ? '⌘K' : 'Ctrl K'}</Kbd>
    </Button>
  );
}

/** The palette's code is loaded when it is asked for first, and opens then. */
function usePaletteLoaded(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const load = () => setLoaded(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      // Those are the browser's.
      if (event.shiftKey || event.altKey) return;
      event.preventDefault();
      load();
    };
    window.addEventListener(OPEN_PALETTE, load);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener(OPEN_PALETTE, load);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  return isLoaded;
}

import '@mantine/spotlight/styles.css';
import { useQuery } from '@apollo/client/react';
import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import {
  ArrowRight,
  ExternalLink,
  Languages,
  LogOut,
  type LucideIcon,
  Moon,
  Search,
  Sun,
  UserRound,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { graphql } from '../common/graphql.js';
import { setLanguage, useLanguage } from '../common/i18n.js';
import { signOut, useSession } from '../common/session.js';
import { useWebConfig } from '../common/web-config.js';
import { personPath } from './person-link.js';
import { elsewhere, idPages, places } from './places.js';
import { mayEnter } from './section-gate.js';
import { type Section, type SectionName, sections } from './sections.js';
import { useConsoleTexts } from './texts.js';
import { useSandboxUrl } from './use-sandbox-url.js';

const findPeople = graphql(/* GraphQL */ `
  query PalettePeople($query: String!) {
    searchUsers(query: $query, first: 6) {
      edges {
        cursor
        node {
          id
          userId
          displayName
        }
      }
    }
  }
`);

/** Goes to a page of the console. */
type Go = (path: string) => void;

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: LucideIcon;
  readonly act: () => void;
}

/** ⌘K: every section and its pages, people by name, what an id that is pasted leads to, what the menu of the viewer does, and the pages outside of the console. */
export default function Palette() {
  const c = useConsoleTexts();
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  /** What has the focus after it: what had it before, or the page that was chosen. */
  const next = useRef<HTMLElement>(null);
  const go: Go = (path) => {
    next.current = document.getElementById('content');
    void navigate(path);
  };
  useEffect(() => {
    spotlight.open();
    window.addEventListener('tidings:palette', spotlight.open);
    return () => window.removeEventListener('tidings:palette', spotlight.open);
  }, []);
  const text = query.trim();
  const groups = [
    { label: c('palette.go'), entries: usePages(text, go) },
    { label: c('palette.people'), entries: usePeople(text, go) },
    { label: c('palette.ids'), entries: useIds(text, go) },
    { label: c('palette.commands'), entries: useCommands(text) },
    { label: c('links.elsewhere'), entries: usePagesElsewhere(text) },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      triggerOnContentEditable
      scrollable
      returnFocus={false}
      onSpotlightOpen={() => {
        next.current = document.activeElement as HTMLElement | null;
      }}
      onSpotlightClose={() => next.current?.focus({ preventScroll: true })}
      maxHeight="70dvh"
    >
      <Spotlight.Search
        placeholder={c('palette.placeholder')}
        aria-label={c('palette.open')}
        leftSection={<Search size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, entries }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {entries.map(({ key, label: of, description, icon: Icon, act }) => (
              <Spotlight.Action
                key={key}
                label={of}
                {...(description && { description })}
                leftSection={<Icon size={18} aria-hidden />}
                onClick={act}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{c('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

const includes = (label: string, text: string): boolean => label.toLowerCase().includes(text.toLowerCase());

/** Whether the viewer may enter a section. */
function useMayEnter(): (name: SectionName) => boolean {
  const roles = useSession()?.roles ?? [];
  const hasSandbox = useSandboxUrl() !== null;
  return (name) => {
    const section: Section = sections.find((one) => one.name === name)!;
    return mayEnter(section, roles) && (!section.isDevelopmentOnly || hasSandbox);
  };
}

function usePages(text: string, go: Go): readonly Entry[] {
  const c = useConsoleTexts();
  const may = useMayEnter();
  const all = [
    ...sections.map(({ name, icon }) => ({
      section: name,
      label: c(`sections.${name}`),
      icon: icon as LucideIcon,
      path: `/${name}`,
    })),
    // The start of the list is short: they are for those who type.
    ...(text ? places : []).map(({ name, section, path }) => ({
      section,
      label: c(`places.${name}`),
      icon: ArrowRight,
      path,
    })),
  ];
  return all
    .filter(({ section, label }) => may(section) && includes(label, text))
    .map(({ label, icon, path }) => ({ key: path, label, icon, act: () => go(path) }));
}

function usePeople(text: string, go: Go): readonly Entry[] {
  const isAdmin = useMayEnter()('people');
  const [wanted] = useDebouncedValue(text, 150);
  const { data } = useQuery(findPeople, { variables: { query: wanted }, skip: !wanted || !isAdmin });
  // Of what was typed before nobody is offered.
  if (!text || wanted !== text) return [];
  return (data?.searchUsers?.edges ?? []).map(({ node }) => ({
    key: node.id,
    label: node.displayName,
    description: node.userId,
    icon: UserRound,
    act: () => go(personPath(node.userId)),
  }));
}

function useIds(text: string, go: Go): readonly Entry[] {
  const c = useConsoleTexts();
  const may = useMayEnter();
  if (text.length < 3) return [];
  const pages = /\s/.test(text) ? [] : idPages.filter(({ section, of }) => may(section) && of.test(text));
  return [
    ...(may('notifications')
      ? [
          {
            key: 'search',
            label: c('palette.searchNotifications', { text }),
            icon: Search,
            act: () => go(`/notifications?search=${encodeURIComponent(text)}`),
          },
        ]
      : []),
    ...pages.map(({ name, path }) => ({
      key: name,
      label: c(`palette.${name}`, { id: text }),
      icon: ArrowRight,
      act: () => go(path(encodeURIComponent(text))),
    })),
  ];
}

function useCommands(text: string): readonly Entry[] {
  const c = useConsoleTexts();
  const language = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const commands: readonly Entry[] = [
    { key: 'light', label: c('palette.light'), icon: Sun, act: () => setColorScheme('light') },
    { key: 'dark', label: c('palette.dark'), icon: Moon, act: () => setColorScheme('dark') },
    {
      key: 'language',
      label: c('palette.otherLanguage'),
      icon: Languages,
      act: () => setLanguage(language === 'en' ? 'de' : 'en'),
    },
    { key: 'out', label: c('palette.signOut'), icon: LogOut, act: signOut },
  ];
  return text ? commands.filter(({ label }) => includes(label, text)) : [];
}

function usePagesElsewhere(text: string): readonly Entry[] {
  const c = useConsoleTexts();
  const { graphiql } = useWebConfig();
  if (!text) return [];
  return elsewhere
    .filter(({ name }) => name !== 'graphiql' || graphiql)
    .map(({ name, href }) => ({
      key: name,
      label: c(`links.${name}`),
      icon: ExternalLink,
      act: () => window.location.assign(href),
    }))
    .filter(({ label }) => includes(label, text));
}

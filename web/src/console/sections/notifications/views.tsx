import { ActionIcon, Anchor, Button, Group, Popover, TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useCommonTexts } from '../../../common/i18n.js';
import { useSession } from '../../../common/session.js';
import { useTexts } from './texts.js';

interface View {
  readonly name: string;
  /** The part of the URL behind the question mark: who opens it sees the same. */
  readonly query: string;
}

/** Of each person apart: filters name people and addresses. */
const KEY = 'tidings.notification-views';

const COMMON = [
  { key: 'dead', query: 'status=DEAD&time=week' },
  { key: 'retrying', query: 'status=RETRYING' },
  { key: 'later', query: 'status=SCHEDULED' },
  { key: 'leftOut', query: 'status=SUPPRESSED&time=day' },
] as const;

/** Filters as links: those that everybody needs, and those that the viewer kept in this browser. */
export function SavedViews() {
  const t = useTexts();
  const c = useCommonTexts();
  const { search } = useLocation();
  const now = search.slice(1);
  const key = `${KEY}.${useSession()?.userId ?? ''}`;
  const [views, setViews] = useState(() => read(key));

  useWindowEvent('storage', (event) => {
    if (event.key === key || event.key === null) setViews(read(key));
  });

  /** Of what is kept by now: another tab may have kept and deleted views, too. */
  function keep(change: (kept: readonly View[]) => readonly View[]): void {
    const next = change(read(key));
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  }

  return (
    <Group gap="md" component="nav" aria-label={t('views.title')}>
      {COMMON.map(({ key, query }) => (
        <ViewLink key={key} name={t(`views.${key}`)} query={query} isOpen={now === query} />
      ))}
      {views.map(({ name, query }) => (
        <Group key={name} gap={2} wrap="nowrap">
          <ViewLink name={name} query={query} isOpen={now === query} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`${c('act.delete')}: ${name}`}
            onClick={() => keep((kept) => kept.filter((view) => view.name !== name))}
          >
            <X size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {now && (
        <SaveView
          onSave={(name) =>
            keep((kept) => [...kept.filter((view) => view.name !== name), { name, query: now }])
          }
        />
      )}
    </Group>
  );
}

function ViewLink({ name, query, isOpen }: View & { readonly isOpen: boolean }) {
  return (
    <Anchor
      component={Link}
      to={`/notifications?${query}`}
      size="sm"
      fw={isOpen ? 700 : 400}
      aria-current={isOpen ? 'page' : undefined}
    >
      {name}
    </Anchor>
  );
}

function SaveView({ onSave }: { readonly onSave: (name: string) => void }) {
  const t = useTexts();
  const c = useCommonTexts();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Bookmark size={12} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('views.save')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!name.trim()) return;
            onSave(name.trim());
            setName('');
            setOpen(false);
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              label={t('views.name')}
              value={name}
              maxLength={40}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit">{c('act.save')}</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function read(key: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as View).name === 'string' &&
  typeof (value as View).query === 'string';

import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { useCommonTexts } from '../common/i18n.js';
import { useSession } from '../common/session.js';
import { Page } from '../common/ui/page.js';
import { Empty } from '../common/ui/states.js';
import { type Section, sections } from './sections.js';
import { useConsoleTexts } from './texts.js';

/** A section is shown to those whose role may enter; the start leads others to the first one that they may. */
export function SectionGate({
  section,
  children,
}: {
  readonly section: Section;
  readonly children: ReactNode;
}) {
  const t = useCommonTexts();
  const c = useConsoleTexts();
  const roles = useSession()?.roles ?? [];
  if (mayEnter(section, roles)) return children;
  const first = sections.find((one) => mayEnter(one, roles));
  if (section.name === sections[0].name && first) return <Navigate to={`/${first.name}`} replace />;
  return (
    <Page title={c(`sections.${section.name as 'overview'}`)}>
      <Empty title={t('state.notAllowed')}>
        {t('state.notAllowedHelp', {
          roles: section.role === 'admin' ? t('role.admin') : `${t('role.producer')}, ${t('role.admin')}`,
        })}
      </Empty>
    </Page>
  );
}

export const mayEnter = ({ role }: Section, roles: readonly string[]): boolean =>
  roles.includes('admin') || roles.includes(role);

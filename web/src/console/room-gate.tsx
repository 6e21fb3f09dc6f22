import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { useCommonTexts } from '../shared/i18n.js';
import { useSession } from '../shared/session.js';
import { Empty } from '../shared/ui/states.js';
import { type Room, rooms } from './rooms.js';

/** A room is shown to those whose role may enter; the start leads others to the first one that they may. */
export function RoomGate({ room, children }: { readonly room: Room; readonly children: ReactNode }) {
  const t = useCommonTexts();
  const roles = useSession()?.roles ?? [];
  if (mayEnter(room, roles)) return children;
  const first = rooms.find((one) => mayEnter(one, roles));
  if (room.name === rooms[0].name && first) return <Navigate to={`/${first.name}`} replace />;
  return (
    <Empty title={t('state.notAllowed')}>
      {t('state.notAllowedHelp', {
        roles: room.role === 'admin' ? t('role.admin') : `${t('role.producer')}, ${t('role.admin')}`,
      })}
    </Empty>
  );
}

export const mayEnter = ({ role }: Room, roles: readonly string[]): boolean =>
  roles.includes('admin') || roles.includes(role);

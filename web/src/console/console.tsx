import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { ErrorBoundary } from '../shared/ui/error-boundary.js';
import { NotFound } from '../shared/ui/not-found.js';
import { Loading } from '../shared/ui/states.js';
import { RoomGate } from './room-gate.js';
import { type Room, rooms } from './rooms.js';
import { Shell } from './shell.js';

const pages = rooms.map((room: Room) => ({ room, Content: lazy(room.load) }));

/** All pages of the console: the rooms, each of which is loaded when it is entered first. */
export function Console() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route index element={<Navigate to="/overview" replace />} />
        {pages.map(({ room, Content }) => (
          <Route
            key={room.name}
            path={`${room.name}/*`}
            element={
              <ErrorBoundary key={room.name}>
                <RoomGate room={room}>
                  <Suspense fallback={<Loading />}>
                    <Content />
                  </Suspense>
                </RoomGate>
              </ErrorBoundary>
            }
          />
        ))}
        <Route path="*" element={<NotFound home="/" />} />
      </Route>
    </Routes>
  );
}

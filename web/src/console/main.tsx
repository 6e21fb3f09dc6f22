import { lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router';
import { renderApp } from '../shared/providers.js';
import { NotFound } from '../shared/ui/not-found.js';
import { RoomError } from '../shared/ui/route-error.js';
import { Loading } from '../shared/ui/states.js';
import { RoomGate } from './room-gate.js';
import { type Room, rooms } from './rooms.js';
import { Shell } from './shell.js';

const router = createBrowserRouter(
  [
    {
      element: <Shell />,
      errorElement: <RoomError />,
      children: [
        { index: true, element: <Navigate to="/overview" replace /> },
        ...rooms.map((room: Room) => {
          const Content = lazy(room.load);
          return {
            path: `${room.name}/*`,
            errorElement: <RoomError />,
            element: (
              <RoomGate room={room}>
                <Suspense fallback={<Loading />}>
                  <Content />
                </Suspense>
              </RoomGate>
            ),
          };
        }),
        { path: '*', element: <NotFound home="/" /> },
      ],
    },
  ],
  { basename: '/console' },
);

renderApp(<RouterProvider router={router} />);

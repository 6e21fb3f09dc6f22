import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { ErrorBoundary } from '../common/ui/error-boundary.js';
import { loadedLater } from '../common/ui/loaded-later.js';
import { NotFound } from '../common/ui/not-found.js';
import { Loading } from '../common/ui/states.js';
import { SectionGate } from './section-gate.js';
import { type Section, sections } from './sections.js';
import { Shell } from './shell.js';

const pages = sections.map((section: Section) => ({ section, Content: loadedLater(section.load) }));

/** All pages of the console: the sections, each of which is loaded when it is entered first. */
export function Console() {
  return (
    <Routes>
      <Route element={<Shell />}>
        <Route index element={<Navigate to="/overview" replace />} />
        {pages.map(({ section, Content }) => (
          <Route
            key={section.name}
            path={`${section.name}/*`}
            element={
              <ErrorBoundary key={section.name}>
                <SectionGate section={section}>
                  <Suspense fallback={<Loading />}>
                    <Content />
                  </Suspense>
                </SectionGate>
              </ErrorBoundary>
            }
          />
        ))}
        <Route path="*" element={<NotFound home="/" />} />
      </Route>
    </Routes>
  );
}

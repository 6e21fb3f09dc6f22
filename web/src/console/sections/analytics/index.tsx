import { useQuery } from '@apollo/client/react';
import { Route, Routes } from 'react-router';
import { CopyAs } from '../../../common/ui/copy.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { Loaded } from '../../../common/ui/states.js';
import { useActiveTemplates } from '../../active-templates.js';
import { stepOf } from '../../charts/steps.js';
import { Charts } from './charts.js';
import { AnalyticsDocument } from './documents.js';
import { Figures } from './figures.js';
import { FilterBar } from './filter-bar.js';
import { narrowed, useAnalyticsFilters } from './filters.js';
import { Parts } from './parts.js';
import { timesOf } from './span.js';
import { useTexts } from './texts.js';
import { useSpans } from './use-spans.js';

export default function AnalyticsSection() {
  return (
    <Routes>
      <Route index element={<Analytics />} />
      <Route path="*" element={<NotFound home="/analytics" />} />
    </Routes>
  );
}

function Analytics() {
  const t = useTexts();
  const [filters, set] = useAnalyticsFilters();
  const { templates } = useActiveTemplates();
  const { span, before } = useSpans(filters);
  const stepSeconds = stepOf(span.fromMs, span.toMs);
  const variables = { ...timesOf(span), ...narrowed(filters), stepSeconds };
  const query = useQuery(AnalyticsDocument, { variables });
  const compared = useQuery(AnalyticsDocument, {
    variables: { ...variables, ...timesOf(before ?? span) },
    skip: before === null,
  });
  // While another span is asked for, the one before stays.
  const data = query.data ?? query.previousData;
  const other = before === null ? null : (compared.data ?? compared.previousData)?.notificationAnalytics;
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={<CopyAs document={AnalyticsDocument} variables={variables} />}
    >
      <FilterBar filters={filters} set={set} templates={templates} />
      <Loaded query={{ ...query, data }}>
        {({ notificationAnalytics: found }) =>
          found && (
            <>
              <Figures found={found} other={other ?? null} />
              <Charts found={found} other={other ?? null} />
            </>
          )
        }
      </Loaded>
      <Parts filters={filters} set={set} templates={templates} span={span} />
    </Page>
  );
}

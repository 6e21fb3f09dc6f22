import { Button, CopyButton, Group } from '@mantine/core';
import type { DocumentNode } from 'graphql';
import { print } from 'graphql';
import { fragments } from '../graphql.js';
import { useCommonTexts } from '../i18n.js';

interface CopyProps {
  readonly text: string;
  readonly label?: string;
}

export function Copy({ text, label }: CopyProps) {
  const t = useCommonTexts();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? t('act.copied') : (label ?? t('act.copy'))}
        </Button>
      )}
    </CopyButton>
  );
}

export interface CopyAsProps {
  readonly document: DocumentNode;
  readonly variables?: Record<string, unknown>;
}

/** What the page asked of the API, for a terminal or for GraphiQL. Complete with its fragments; the token is not copied along. */
export function CopyAs({ document, variables }: CopyAsProps) {
  const t = useCommonTexts();
  // Documents name fragments that stand elsewhere.
  const query = print(fragments.transform(document));
  const body = JSON.stringify({ query, ...(variables && { variables }) });
  const curl = [
    `curl -s ${location.origin}/graphql`,
    `-H 'content-type: application/json'`,
    `-H "authorization: Bearer $TOKEN"`,
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(' ');
  return (
    <Group gap={6}>
      <Copy text={curl} label={t('act.copyCurl')} />
      <Copy
        text={variables ? `${query}\n# ${JSON.stringify(variables)}` : query}
        label={t('act.copyGraphql')}
      />
    </Group>
  );
}

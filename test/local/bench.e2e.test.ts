import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the benchmarks are listed by the command that runs them', async () => {
  const { stderr } = await promisify(execFile)('npm', ['run', '--silent', 'bench']);
  for (const name of ['graphql.page', 'limit.check', 'notify.drain', 'feed.fanout', 'scale'])
    expect(stderr).toMatch(new RegExp(`^ +${name.replace('.', '\\.')} {2,}\\S`, 'm'));
});

import type { Bound } from './bounds.ts';
import type { Entry } from './inputs.ts';
import type { Plan, Tier } from './model.ts';

/** Tables in Markdown, padded as the project's guides are. */
export function tablesOf(plans: readonly Plan[], bounds: readonly Bound[]): Readonly<Record<string, string>> {
  return { demand: demandTable(plans), machines: machinesTable(plans), bounds: boundsTable(bounds) };
}

/** One of the files of inputs. */
export const inputsTable = (entries: Readonly<Record<string, Entry>>): string =>
  table(
    ['input', 'value', 'unit', 'from'],
    Object.entries(entries).map(([name, { value, unit, from }]) => [
      `\`${name}\``,
      value.toLocaleString('en', { maximumSignificantDigits: 5 }),
      unit,
      from,
    ]),
  );

/** The guide with each table between `<!-- NAME -->` and `<!-- end -->` made anew. */
export const fillGuide = (guide: string, tables: Readonly<Record<string, string>>): string =>
  Object.entries(tables).reduce((text, [name, table]) => {
    const [before, rest] = split(text, `<!-- ${name} -->`);
    const [, after] = split(rest, '<!-- end -->');
    return `${before}<!-- ${name} -->\n\n${table}\n\n<!-- end -->${after}`;
  }, guide);

/** @throws where the mark is not there */
function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the guide has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function demandTable(plans: readonly Plan[]): string {
  const rows: readonly (readonly [string, (plan: Plan) => number])[] = [
    ['feed pages a second', ({ demand }) => demand.pagesASecond],
    ['requests a second', ({ demand }) => demand.requestsASecond],
    ['pushes into feeds a second', ({ demand }) => demand.pushesASecond],
    ['live updates to open sockets a second', ({ demand }) => demand.liveUpdatesASecond],
    ['notifications a second', ({ demand }) => demand.notificationsASecond],
    ['events appended a second', ({ demand }) => demand.eventsASecond],
    ['WAL, MB a second', ({ demand }) => demand.walMbASecond],
    ['network to clients, Gbit a second', ({ demand }) => demand.networkGbit],
    ['open sockets', ({ demand }) => demand.sockets],
    ['rows that stay, TB a year', ({ demand }) => demand.growthTbAYear],
    ['archive of the log, TB a year', ({ demand }) => demand.archiveTbAYear],
  ];
  return table(
    ['at peak', ...plans.map(titleOf)],
    rows.map(([name, of]) => [name, ...plans.map((plan) => short(of(plan)))]),
  );
}

function machinesTable(plans: readonly Plan[]): string {
  const [first] = plans;
  const names = first?.tiers.map(({ name }) => name) ?? [];
  return table(
    ['tier', ...plans.map(titleOf)],
    names.map((name, n) => [name, ...plans.map(({ tiers }) => cellOf(tiers[n]!))]),
  );
}

/** `needs` where the number takes something for granted that is not there. */
const cellOf = ({ machines, cores, memoryGb, diskTb, needs }: Tier): string =>
  [
    `${short(machines)} (${short(cores)} cores`,
    ...(memoryGb > 0 ? [`${short(memoryGb)} GB`] : []),
    ...(diskTb > 0 ? [`${short(diskTb)} TB of disk`] : []),
  ].join(', ') + (needs ? `); needs ${needs}` : ')');

const boundsTable = (bounds: readonly Bound[]): string =>
  table(
    ['reached', 'at users', 'then'],
    bounds.map(({ name, users, turn }) => [name, short(users), turn]),
  );

const titleOf = ({ users }: Plan): string => `${users.toLocaleString('en')} users`;

/** Two digits that mean something: the model knows no more. Whole numbers below a hundred stay as they are. */
export const short = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 2, minimumFractionDigits: 0 });

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => row[n]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, n) => cell.padEnd(widths[n]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

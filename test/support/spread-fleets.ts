import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start several processes of the product, and keep them busy. */
const FLEET = /\/test\/faults\/|\/chaos\.e2e\./;

/** Puts them apart from each other: three fleets at once leave two cores no room for any. */
export default class SpreadFleets extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {
      fleets = [],
      real = [],
      unit = [],
    } = Object.groupBy(await super.sort(files), (file) => {
      if (file.project.name === 'unit') return 'unit';
      return FLEET.test(file.moduleId) ? 'fleets' : 'real';
    });
    return [...spread(fleets, real), ...unit];
  }
}

/** `some` at even distances among `others`, the first before all of them. */
export function spread<T>(some: readonly T[], others: readonly T[]): T[] {
  const apart = Math.ceil(others.length / Math.max(some.length, 1));
  const rest = others.slice(some.length * apart);
  return [
    ...some.flatMap((one, index) => [one, ...others.slice(index * apart, (index + 1) * apart)]),
    ...rest,
  ];
}

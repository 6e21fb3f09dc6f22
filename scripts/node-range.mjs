/** Whether a version is in a range as `engines` has it: `^major.minor.patch` or `>=major.minor.patch`, separated by `||`. */
export function isAllowed(version, range) {
  const [major, minor, patch] = version.split('.').map(Number);
  return range.split('||').some((one) => {
    const [, operator, ...parts] = /^(\^|>=)(\d+)\.(\d+)\.(\d+)$/.exec(one.trim());
    const [least, ...rest] = parts.map(Number);
    if (operator === '^' ? major !== least : major < least) return false;
    return major > least || minor > rest[0] || (minor === rest[0] && patch >= rest[1]);
  });
}

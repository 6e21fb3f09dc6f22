import ipaddr from 'ipaddr.js';

const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3');
/** The metadata service of Azure; other clouds have theirs at link-local addresses. */
const AZURE = '168.63.129.16';
/** Names of local networks. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/**
 * Whether an IP address belongs to the public Internet: not to a private or local network, the machine itself, its cloud,
 * or a translation of such an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // An IPv6 address may contain an IPv4 address.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || address.toString() === AZURE) return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6);
}

/** Whether the host of a URL may be public by its form: a public address, or a name with a dot that is not local. */
export function mayBePublic({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$|(?<!\.)\.+$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host.includes('.') && !LOCAL_NAME.test(host);
}

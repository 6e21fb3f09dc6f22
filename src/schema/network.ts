import { isIP } from 'node:net';
import { createClientAddress } from '../edge/gate/client-address.js';

const addressOf = createClientAddress({ trustedProxies: [] });

/**
 * The network by which limits know a client: an IPv4 address, or an IPv6 /64.
 *
 * @param ip as the edge gives it; or such a network itself
 */
export const networkOf = (ip: string): string => addressOf(ip.replace(/\/64$/, ''), {}).network;

/** Whether `networkOf` can say anything of a text that a person typed. */
export const isAddress = (text: string): boolean => isIP(text.replace(/\/64$/, '')) !== 0;

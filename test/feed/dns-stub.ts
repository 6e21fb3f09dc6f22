import dgram from 'node:dgram';

/** Names, and their IPv4 addresses; who is asked for others says nothing. */
const NAMES: Record<string, readonly string[]> = {
  'public.test': ['1.1.1.1', '8.8.8.8'],
  'mixed.test': ['1.1.1.1', '127.0.0.1'],
  'none.test': [],
  'inside.test': ['169.254.169.254'],
};
/** Its address is another one each time that it is asked for. */
const CHANGING = { name: 'changing.test', addresses: ['1.1.1.1', '127.0.0.1'] };

/**
 * A name server that knows public.test, mixed.test, one of whose addresses is not public, inside.test, none.test, which has no address,
 * and changing.test, which is public at first and not afterwards.
 */
export async function startNameServer(onQuestion: () => void = () => undefined) {
  const server = dgram.createSocket('udp4').on('message', (question, from) => {
    onQuestion();
    const answer = answerTo(question);
    if (answer) server.send(answer, from.port, from.address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  return { address: `127.0.0.1:${server.address().port}`, close: () => server.close() };
}

let asked = 0;
function changing(isA: boolean): readonly string[] {
  if (isA) asked += 1;
  return [CHANGING.addresses[Math.min(asked, CHANGING.addresses.length) - 1] ?? ''];
}

/** A DNS message (RFC 1035, 4.1) that answers A with the addresses of a name, AAAA with none. */
function answerTo(message: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (; message[at] !== 0; at += message[at]! + 1)
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!));
  const name = labels.join('.').toLowerCase();
  const isA = message.readUInt16BE(at + 1) === 1;
  const known = name === CHANGING.name ? changing(isA) : NAMES[name];
  if (!known) return undefined;
  const records = (isA ? known : []).map((ip) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ip.split('.').map(Number)]),
  );
  const head = Buffer.from([...message.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([head, message.subarray(12, at + 5), ...records]);
}

import { buffer } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { generate } from 'selfsigned';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The same for mails of one connection. */
  readonly session: string;
  readonly raw: string;
  readonly mail: ParsedMail;
}

type Step = 'onMailFrom' | 'onRcptTo' | 'onData';

/** What the server does at a step instead of taking the mail. */
type Trouble = { readonly reply: string } | 'hang' | 'cut';

/** A real SMTP server: its mails are read by mailparser. */
export async function startMailServer(options: { readonly tls?: boolean; readonly login?: string } = {}) {
  const pems = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const mails: ReceivedMail[] = [];
  const troubles = new Map<Step, Trouble>();
  const reached: Step[] = [];

  /** @returns whether the step goes on as usual */
  function passes(step: Step, done: (error?: Error) => void): boolean {
    reached.push(step);
    const trouble = troubles.get(step);
    if (trouble === undefined) return true;
    if (trouble === 'cut') cutAll();
    else if (trouble !== 'hang') done(refusal(trouble.reply));
    return false;
  }

  const server = new SMTPServer({
    ...(options.tls && { secure: true, key: pems.private, cert: pems.cert }),
    disabledCommands: options.tls ? [] : ['STARTTLS'],
    authOptional: options.login === undefined,
    onAuth(auth, _session, done) {
      if (auth.password === options.login) done(null, { user: auth.username });
      else done(refusal('535 5.7.8 wrong'));
    },
    onMailFrom: (_address, _session, done) => void (passes('onMailFrom', done) && done()),
    onRcptTo: (_address, _session, done) => void (passes('onRcptTo', done) && done()),
    async onData(stream, session, done) {
      const raw = await buffer(stream).catch(() => Buffer.alloc(0));
      if (!passes('onData', done)) return;
      mails.push({ ...envelopeOf(session), raw: raw.toString('utf8'), mail: await simpleParser(raw) });
      done();
    },
  });
  server.on('error', () => {});
  const cutAll = () => {
    for (const connection of server.connections) destroy(connection);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    ca: pems.cert,
    port: address.port,
    mails,
    /** Which steps were reached. */
    reached,
    makeTrouble: (step: Step, trouble: Trouble) => troubles.set(step, trouble),
    cutAll,
    reset() {
      mails.length = 0;
      reached.length = 0;
      troubles.clear();
    },
    close: () =>
      new Promise<void>((resolve) => {
        cutAll();
        server.close(resolve);
      }),
  };
}

function envelopeOf({ id, envelope }: SMTPServerSession) {
  const from = envelope.mailFrom ? envelope.mailFrom.address : '';
  return { session: id, from, to: envelope.rcptTo.map((one) => one.address) };
}

/** smtp-server sends the number apart from the text. */
function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

/** As a crash would: without a word. */
function destroy(connection: object): void {
  const { _socket: socket } = connection as { _socket: { destroy(): void } };
  socket.destroy();
}

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { UserError } from '../platform/errors.js';

/** Boundaries and headers beside the file itself. */
export const WRAPPING_BYTES = 65_536;

const notAlone: UserError = {
  code: 'BAD_USER_INPUT',
  message: 'A form has one file, in the field `file`, and at most 10 other fields',
  path: ['file'],
};

/** A client that sets the header by hand sends none. */
const noBoundary: UserError = {
  code: 'BAD_USER_INPUT',
  message: 'The Content-Type of a form names its boundary: leave the header to whatever writes the form',
  path: ['file'],
};
const BOUNDARY = /;\s*boundary=./i;

/** More has come than a file may have, and what may stand around it. */
class Excess extends Error {}

/**
 * The file of a form as it arrives. It ends where the form ends, not before: it breaks off where another file or another
 * `file` follows, or more than a form may have, and `fault` says so from then on.
 */
export class FormFile implements AsyncIterable<Uint8Array> {
  fault: UserError | null = null;

  constructor(
    private readonly part: MultipartFile,
    private readonly others: AsyncIterator<MultipartFile>,
    private readonly excess: Promise<never>,
    private readonly limit: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    yield* this.part.file;
    try {
      await Promise.race([this.others.next(), this.excess]);
    } catch (error) {
      this.fault = faultOf(error, this.limit);
      throw error;
    }
    if (Array.isArray(this.part.fields.file)) {
      this.fault = notAlone;
      throw new Error(notAlone.message);
    }
  }
}

/**
 * Reads a form up to its file; or what is wrong with the request.
 *
 * @param limit bytes of the file, where the request says beforehand how many there are; where it does not, of what comes
 */
export async function readForm(request: FastifyRequest, limit: number): Promise<FormFile | UserError> {
  if (!request.isMultipart()) {
    return { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'An upload is multipart/form-data' };
  }
  if (!BOUNDARY.test(request.headers['content-type'] ?? '')) return noBoundary;
  if (Number(request.headers['content-length']) > limit + WRAPPING_BYTES) {
    return tooLarge(limit);
  }
  const files = request.files();
  const excess = excessOf(request.raw, limit + WRAPPING_BYTES);
  try {
    const { value: part } = await Promise.race([files.next(), excess]);
    if (part?.fieldname === 'file') return new FormFile(part, files, excess, limit);
  } catch (error) {
    return faultOf(error, limit);
  }
  return { code: 'BAD_USER_INPUT', message: 'The file is in the field `file`', path: ['file'] };
}

const tooLarge = (limit: number): UserError => ({
  code: 'MEDIA_TOO_LARGE',
  message: `A file has at most ${limit} bytes`,
  path: ['file'],
});

/** Fails once more bytes than `most` have come. The parser reads on without end where no part begins or ends. */
function excessOf(raw: FastifyRequest['raw'], most: number): Promise<never> {
  const excess = new Promise<never>((_, reject) => {
    let bytes = 0;
    raw.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > most) reject(new Excess());
    });
  });
  // Nobody waits for it while the file itself is read: that is counted on its way.
  excess.catch(() => undefined);
  return excess;
}

/** What the parser refuses has a code of its own; all else has broken off. */
function faultOf(error: unknown, limit: number): UserError {
  if (error instanceof Excess) return tooLarge(limit);
  const { code } = error as { readonly code?: string };
  if (code?.startsWith('FST_') && code !== 'FST_MP_PREMATURE_CLOSE') return notAlone;
  return { code: 'UPLOAD_INCOMPLETE', message: 'The upload broke off', path: ['file'] };
}

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { UserError } from '../platform/errors.js';

/** Boundaries and headers beside the file itself. */
export const WRAPPING_BYTES = 65_536;

const notAlone: UserError = {
  code: 'BAD_USER_INPUT',
  message: 'A form has one file, in the field `file`',
  path: ['file'],
};

/**
 * The file of a form as it arrives. It ends where the form ends, not before: it breaks off where another file or another
 * `file` follows, and `fault` says so from then on.
 */
export class FormFile implements AsyncIterable<Uint8Array> {
  fault: UserError | null = null;

  constructor(
    private readonly part: MultipartFile,
    private readonly others: AsyncIterator<MultipartFile>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    yield* this.part.file;
    try {
      await this.others.next();
    } catch (error) {
      this.fault = faultOf(error);
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
 * @param limit bytes of the file, where the request says beforehand how many there are
 */
export async function readForm(request: FastifyRequest, limit: number): Promise<FormFile | UserError> {
  if (!request.isMultipart()) {
    return { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'An upload is multipart/form-data' };
  }
  if (Number(request.headers['content-length']) > limit + WRAPPING_BYTES) {
    return { code: 'MEDIA_TOO_LARGE', message: `A file has at most ${limit} bytes`, path: ['file'] };
  }
  const files = request.files();
  try {
    const { value: part } = await files.next();
    if (part?.fieldname === 'file') return new FormFile(part, files);
  } catch (error) {
    return faultOf(error);
  }
  return { code: 'BAD_USER_INPUT', message: 'The file is in the field `file`', path: ['file'] };
}

/** What the parser refuses has a code of its own; all else has broken off. */
function faultOf(error: unknown): UserError {
  const { code } = error as { readonly code?: string };
  if (code?.startsWith('FST_') && code !== 'FST_MP_PREMATURE_CLOSE') return notAlone;
  return { code: 'UPLOAD_INCOMPLETE', message: 'The upload broke off', path: ['file'] };
}

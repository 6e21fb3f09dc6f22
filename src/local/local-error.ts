/** Something on this machine keeps tidings from starting. The message says what, and what to do, in one line. */
export class LocalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalError';
  }
}

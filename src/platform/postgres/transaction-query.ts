import pg from 'pg';

type Done = (error: Error | null, result?: unknown) => void;

/** What node-postgres has and its types leave out. */
interface QueryParts {
  readonly text: string;
  name: string | undefined;
  queryMode: string | undefined;
  callback: Done | undefined;
  query_timeout?: number | undefined;
  submit(connection: pg.Connection): Error | null;
  prepare(connection: pg.Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}
interface ExtendedProtocol {
  parse(statement: { readonly text: string }): void;
  bind(values: object): void;
  execute(portal: object): void;
}
const Query = pg.Query as unknown as new (config: unknown, values: unknown, callback: unknown) => QueryParts;

const BEGIN = /^\s*BEGIN(?:\s*;)?\s*$/i;

/**
 * A statement that finds no settings in its session and leaves none: it is sent with those of its transaction. They cost no
 * round trip: alone, a statement makes one transaction with them, since no Sync stands in between; `BEGIN` takes them along.
 * Nor is it prepared by a name, which another session would not know.
 */
export class TransactionQuery extends Query {
  /** What comes next belongs to the settings: before the statement's own answer, or after it. */
  #isOfSettings = false;
  #begins = false;

  /**
   * @param settings a statement that makes them; undefined: there are none
   * @param isInTransaction whether they have been made, once it is this statement's turn
   */
  constructor(
    asked: readonly [config: unknown, values?: unknown, callback?: unknown],
    private readonly settings: string | undefined,
    private readonly isInTransaction: () => boolean,
  ) {
    const [config, values, callback] = asked;
    super(config, values, callback);
    this.name = undefined;
    this.query_timeout = (config as pg.QueryConfig & { query_timeout?: number }).query_timeout;
  }

  override submit(connection: pg.Connection): Error | null {
    const needsSettings = this.settings !== undefined && !this.isInTransaction();
    this.#begins = needsSettings && BEGIN.test(this.text);
    this.#isOfSettings = needsSettings && !this.#begins;
    if (this.#isOfSettings) this.queryMode = 'extended';
    if (!this.#begins) return super.submit(connection);
    connection.query(`BEGIN; ${this.settings}`);
    return null;
  }

  override prepare(connection: pg.Connection): void {
    if (this.#isOfSettings) {
      const protocol = connection as unknown as ExtendedProtocol;
      protocol.parse({ text: this.settings! });
      protocol.bind({});
      protocol.execute({});
    }
    super.prepare(connection);
  }

  override handleRowDescription(message: unknown): void {
    if (!this.#isOfSettings) super.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isOfSettings) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (!this.#isOfSettings) super.handleCommandComplete(message, connection);
    this.#isOfSettings = this.#begins;
  }
}

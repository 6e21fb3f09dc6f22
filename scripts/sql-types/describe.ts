import pg from 'pg';

/** A column of what a statement returns, as Postgres describes it. */
export interface Column {
  readonly name: string;
  readonly typeId: number;
  /** The column of a table that it is, where it is one and nothing else. */
  readonly origin?: { readonly table: number; readonly column: number };
}

interface Described {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** Asks Postgres what a statement would return, without running it. */
class Description implements pg.Submittable {
  readonly columns: Promise<readonly Column[]>;
  private readonly text: string;
  private found: readonly Column[] = [];
  private resolve!: (columns: readonly Column[]) => void;
  private reject!: (error: Error) => void;

  constructor(text: string) {
    this.text = text;
    this.columns = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, false);
    connection.describe({ type: 'S', name: '' }, false);
    connection.sync();
  }
  handleRowDescription({ fields }: { fields: readonly Described[] }): void {
    this.found = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeId: dataTypeID,
      ...(tableID !== 0 && { origin: { table: tableID, column: columnID } }),
    }));
  }
  handleReadyForQuery(): void {
    this.resolve(this.found);
  }
  handleError(error: Error): void {
    this.reject(error);
  }
}

/** The columns that a statement returns; none where it returns no rows. */
export function columnsOf(client: pg.Client, text: string): Promise<readonly Column[]> {
  return client.query(new Description(text)).columns;
}

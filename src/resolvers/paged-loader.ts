import DataLoader from 'dataloader';
import type { Connection, PageRequest } from '../platform/paging.js';

/** Batches pages: what one answer asks of many objects with the same paging arguments becomes one look-up. */
export class PagedLoader<Item> {
  private readonly byPage = new Map<string, DataLoader<string, Connection<Item>>>();

  constructor(
    private readonly read: (ids: readonly string[], page: PageRequest) => Promise<Connection<Item>[]>,
  ) {}

  load(id: string, page: PageRequest): Promise<Connection<Item>> {
    const key = JSON.stringify(page);
    const loader = this.byPage.get(key) ?? new DataLoader((ids) => this.read(ids, page));
    this.byPage.set(key, loader);
    return loader.load(id);
  }
}

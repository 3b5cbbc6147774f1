import { isGone } from './status-error.ts';
import type { KubeClient, KubeObject, ListOptions, ListPage, ResourceType } from './types.ts';

export interface Page<T extends KubeObject = KubeObject> extends ListPage<T> {
  /** True for the first page, and again when the list begins anew: forget the pages before. */
  readonly fresh: boolean;
}

/**
 * The pages of a whole list, each asked for while the one before is being worked on. When a continue token expires
 * between two pages (410), the list begins anew and comes as one unpaged answer, which cannot expire again.
 */
export async function* paginate<T extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<Page<T>, void, undefined> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  try {
    let token: string | undefined;
    let coming = client.list<T>(type, { ...options, signal });
    do {
      let page: Page<T>;
      try {
        page = { ...(await coming), fresh: token === undefined };
      } catch (error) {
        if (token === undefined || !isGone(error)) throw error;
        page = { ...(await client.list<T>(type, { ...options, signal, limit: 0 })), fresh: true };
      }
      token = page.continue;
      if (token !== undefined) {
        coming = client.list<T>(type, { ...options, signal, continue: token });
        // It may fail while this page is still being worked on; it is awaited in the next turn.
        coming.catch(() => undefined);
      }
      yield page;
    } while (token !== undefined);
  } finally {
    left.abort();
  }
}

/** A whole list with the resourceVersion to watch from. */
export async function listAll<T extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: Omit<ListOptions, 'continue'> = {},
): Promise<{ items: T[]; resourceVersion: string }> {
  let items: T[] = [];
  let resourceVersion = '';
  for await (const page of paginate<T>(client, type, options)) {
    if (page.fresh) items = [];
    for (const item of page.items) items.push(item);
    resourceVersion = page.resourceVersion;
  }
  return { items, resourceVersion };
}

import { isGone } from './status-error.ts';
import type { KubeClient, KubeObject, ListOptions, ListPage, ResourceType } from './types.ts';

export interface Page<T extends KubeObject = KubeObject> extends ListPage<T> {
  /** True for the first page, and again when the list begins anew: forget the pages before. */
  readonly fresh: boolean;
}

/**
 * The pages of a whole list. When a continue token expires between two pages (410), the list begins anew and comes as
 * one unpaged answer, which cannot expire again.
 */
export async function* paginate<T extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<Page<T>, void, undefined> {
  let token: string | undefined;
  do {
    let page: Page<T>;
    try {
      const found = await client.list<T>(type, token === undefined ? options : { ...options, continue: token });
      page = { ...found, fresh: token === undefined };
    } catch (error) {
      if (token === undefined || !isGone(error)) throw error;
      page = { ...(await client.list<T>(type, { ...options, limit: 0 })), fresh: true };
    }
    yield page;
    token = page.continue;
  } while (token !== undefined);
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

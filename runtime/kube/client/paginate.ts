import { AnswerTooLarge } from './answer.ts';
import { isGone } from './status-error.ts';
import type { KubeClient, KubeObject, ListOptions, ListPage, ResourceType } from './types.ts';

/** A page of a list. */
export interface Page<T extends KubeObject = KubeObject> extends ListPage<T> {
  /** True for the first page, and again when the list starts again: forget the pages before. */
  readonly fresh: boolean;
}

/** Page size after a list without pages was too long. */
const FIRST_SMALLER_PAGE = 100;

/**
 * The pages of a whole list, each asked for while the one before is being worked on. When a continue token expires
 * between two pages (410), the list starts again as one unpaged answer, which cannot expire again. Where an answer
 * is too long to be read, smaller pages are asked for, down to single objects.
 */
export async function* paginate<T extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<Page<T>, void, undefined> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let { limit } = options;
  const list = async (more: { readonly continue?: string; readonly limit?: number } = {}): Promise<ListPage<T>> => {
    for (;;) {
      try {
        return await client.list<T>(type, { ...options, ...(limit !== undefined && { limit }), signal, ...more });
      } catch (error) {
        if (!(error instanceof AnswerTooLarge) || limit === 1) throw error;
        limit = limit ? Math.ceil(limit / 4) : FIRST_SMALLER_PAGE;
        // An answer from the API server's memory ignores the page size.
        options = { ...options, resourceVersion: undefined };
        more = more.continue === undefined ? {} : { continue: more.continue };
      }
    }
  };
  try {
    let token: string | undefined;
    let coming = list();
    do {
      let page: Page<T>;
      try {
        page = { ...(await coming), fresh: token === undefined };
      } catch (error) {
        if (token === undefined || !isGone(error)) throw error;
        page = { ...(await list({ limit: 0 })), fresh: true };
      }
      token = page.continue;
      if (token !== undefined) {
        coming = list({ continue: token });
        // It may fail while this page is still being worked on; the next iteration awaits it.
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

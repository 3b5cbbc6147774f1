import type { Dispatcher, HttpRequest, HttpResponse } from '../../runtime/base/http/client.ts';

/** One request to a URL. */
export function request(
  url: string,
  { dispatcher, ...rest }: { readonly dispatcher: Dispatcher } & Omit<HttpRequest, 'origin' | 'path'>,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ origin, path: `${pathname}${search}`, ...rest });
}

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { streamWatch } from '../../../../sandbox/kube/http/stream-watch.ts';
import { Store } from '../../../../sandbox/kube/model/store.ts';
import type { Selection } from '../../../../sandbox/kube/storage/selection.ts';

test('a watch whose client is gone before it begins leaves no timer and no subscription', () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.destroy();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const query = new URLSearchParams({ allowWatchBookmarks: 'true', resourceVersion: '0' });
  const options = { accepted: {}, now: () => 0, signal: new AbortController().signal } as never;
  streamWatch(
    request,
    response,
    new Store(),
    { resource: { bucket: '' }, matches: () => true } as unknown as Selection,
    query,
    options,
  );
  expect(timers()).toBe(before);
  expect(response.headersSent).toBe(false);
});

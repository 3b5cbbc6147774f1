import { expect, test } from '@jest/globals';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { openLiveView } from '../../runtime/ui/cluster/live-view.ts';
import type { MessageSource } from '../../runtime/ui/cluster/send-stream.ts';
import type { StreamMessage } from '../../runtime/ui/messages.ts';
import { Model } from '../../runtime/ui/page/model.ts';
import { rowId } from '../../runtime/view/model/row.ts';
import { eventually } from '../fakes/eventually.ts';
import { LocalKube } from '../fakes/local-kube.ts';
import { account, ready } from '../view/support.ts';
import { accounts } from '../view/world.ts';

/** Serves one kind, and allows everything. */
class StorageKube extends LocalKube {
  override async raw<R>(path?: string): Promise<R> {
    const groups = [{ name: accounts.group, versions: [{ version: accounts.version }] }];
    const groupVersion = `${accounts.group}/${accounts.version}`;
    const resources = { kind: 'APIResourceList', groupVersion, resources: [{ name: accounts.plural }] };
    return (path === '/apis' ? { kind: 'APIGroupList', groups } : resources) as R;
  }

  override async create<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    if (type.kind === 'SelfSubjectAccessReview') return { ...object, status: { allowed: true } };
    return super.create(type, object);
  }
}

async function open(kube: LocalKube, mostRows?: number) {
  const stop = new AbortController();
  const context = { namespace: undefined, source: 'test', signal: stop.signal, log: silentLogger };
  const view: MessageSource = await openLiveView(kube, context, { ...(mostRows && { mostRows }), statusMs: 20 });
  const messages: StreamMessage[] = [];
  const rows = () => messages.flatMap((message) => (message.type === 'rows' ? message.rows : []));
  const takeUntil = (what: string, check: () => boolean) =>
    eventually(what, () => {
      messages.push(...view.take().map((message) => JSON.parse(message) as StreamMessage));
      return check();
    });
  return { messages, rows, takeUntil, stop: () => stop.abort() };
}

async function fill(kube: LocalKube, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await kube.create(accounts, account(`account-${index}`, `group-${index % 50}`, ready));
  }
}

test('5,000 resources take at most 21 LISTs and 40 messages of together 3 MB', async () => {
  const kube = new StorageKube();
  await fill(kube, 5000);
  const { messages, rows, takeUntil, stop } = await open(kube);
  await takeUntil('all rows are there', () => rows().length >= 5000);
  expect(rows()).toHaveLength(5000);
  expect(kube.count('list', `${accounts.plural}.${accounts.group}`)).toBeLessThanOrEqual(21);
  expect(messages.filter(({ type }) => type === 'rows').length).toBeLessThanOrEqual(40);
  expect(JSON.stringify(messages).length).toBeLessThan(3_000_000);
  stop();
});

test('changes while a page does not read cost one row for each object', async () => {
  const kube = new StorageKube();
  await fill(kube, 10);
  const { messages, rows, takeUntil, stop } = await open(kube);
  await takeUntil('all rows are there', () => rows().length >= 10);
  const before = messages.length;
  for (let index = 0; index < 200; index++) {
    const body = { status: { conditions: [], round: index } };
    await kube.patch(accounts, { namespace: 'demo', name: `account-${index % 10}` }, { type: 'merge', body });
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  await takeUntil('the changes are there', () => messages.length > before);
  const changed = messages.slice(before).flatMap((message) => (message.type === 'rows' ? message.rows : []));
  expect(changed.length).toBe(10);
  stop();
});

test('a view with more objects than it takes says so and keeps the first ones', async () => {
  const kube = new StorageKube();
  await fill(kube, 30);
  const { messages, rows, takeUntil, stop } = await open(kube, 20);
  await takeUntil('the page reports the limit', () => messages.some(({ type }) => type === 'limit'));
  expect(rows()).toHaveLength(20);
  stop();
});

test('a namespace with more objects than a view takes leaves room for the rows of the others', async () => {
  const kube = new StorageKube();
  await fill(kube, 30);
  const neighbour = (index: number) => {
    const { metadata, ...rest } = account(`own-${index}`, 'group', ready);
    return kube.create(accounts, { ...rest, metadata: { ...metadata, namespace: 'neighbour' } });
  };
  const { messages, takeUntil, stop } = await open(kube, 20);
  await takeUntil('the page is full', () => messages.some(({ type }) => type === 'limit'));
  for (let index = 0; index < 12; index++) await neighbour(index);
  const page = () => {
    const model = new Model();
    for (const message of messages) model.take(message);
    return model;
  };
  const shown = () => Object.groupBy(page().rows.values(), ({ namespace }) => namespace);
  await takeUntil('the rows of the neighbour are there', () => (shown()['neighbour']?.length ?? 0) >= 10);
  const { neighbour: own = [], demo = [] } = shown();
  expect([own.length, demo.length]).toEqual([10, 10]);
  // An owner that is not on the page may exist.
  await takeUntil('the kind is listed', () => page().kinds.some(({ state }) => state === 'listed'));
  expect(page().isListed(rowId(accounts.group, accounts.kind, 'demo', 'account-0'))).toBe(false);
  stop();
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import type { ArmMethod, Operation, PollResult } from '../../runtime/azure/types.ts';
import { afterwards } from '../fakes/afterwards.ts';
import { FakeAzure } from '../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from './support.ts';

interface Interaction {
  readonly method: ArmMethod;
  readonly url: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly repeat?: number;
}
interface Recording {
  readonly recording: string;
  readonly operations: readonly { readonly start: Interaction; readonly then: readonly Interaction[] }[];
}

const { recordings } = JSON.parse(readFileSync('test/azure/fixtures/recorded-operations.json', 'utf8')) as {
  recordings: Recording[];
};

/** Recorded clients polled the first URL again; signatures and times in the query differ when a Location has moved. */
const keyOf = (method: string, url: string) => `${method} ${url.split('?')[0]?.toLowerCase()}`;

async function replay(start: Interaction, then: readonly Interaction[]) {
  const queues = new Map<string, Interaction[]>();
  for (const interaction of [start, ...then]) {
    const key = keyOf(interaction.method, interaction.url);
    const copies = Array.from({ length: interaction.repeat ?? 1 }, () => interaction);
    queues.set(key, [...(queues.get(key) ?? []), ...copies]);
  }
  const server = await FakeAzure.start(({ method, url }) => {
    const queue = queues.get(keyOf(method, url)) ?? [];
    const interaction = queue.length > 1 ? queue.shift() : queue[0];
    if (!interaction) return { status: 500, body: `not recorded: ${method} ${url}` };
    const headers = Object.fromEntries(
      Object.entries(interaction.headers ?? {}).map(([name, value]) => [
        name,
        value.replace('https://management.azure.com', server.url),
      ]),
    );
    return { status: interaction.status, headers, body: interaction.body };
  });
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher: dispatcherFor(server.ca) });
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  const authorizer = countingAuthorizer();
  const [path, query] = start.url.split('?');
  const apiVersion = new URLSearchParams(query).get('api-version') ?? '';
  const request = { method: start.method, path: path as string, apiVersion, authorizer, body: {} };
  const response = await client.send(request);
  const operations: Operation[] = [];
  let operation = client.operationOf(request, response);
  let result: PollResult | undefined;
  for (let polls = 0; operation && polls < 50; polls++) {
    operations.push(operation);
    // Every poll starts from what a restarted program would read.
    result = await client.poll(JSON.parse(JSON.stringify(operation)) as Operation, {
      authorizer,
      token: response.token,
    });
    operation = result.done ? undefined : result.operation;
  }
  return { server, authorizer, operations, result };
}

const all = recordings.flatMap(({ recording, operations }) =>
  operations.map(
    ({ start, then }, index) => [`${recording} ${index}: ${start.method} ${start.status}`, start, then] as const,
  ),
);

test.each(all.filter(([name]) => !/excerpt|managedidentity-crud [01]|roleassignment-principalnotfound 0/.test(name)))(
  '%s runs to its recorded end with one token',
  async (_, start, then) => {
    const { operations, result, authorizer, server } = await replay(start, then);
    expect(result).toMatchObject({ done: true, outcome: 'succeeded' });
    expect(operations.length).toBeGreaterThan(0);
    const waited = start.headers?.['retry-after'];
    const first = operations[0] as Operation;
    expect(first.nextPollAt - first.startedAt).toBe(waited ? Number(waited) * 1000 : 15_000);
    expect(authorizer.asked).toHaveLength(1);
    expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  },
);

test.each(all.filter(([name]) => /managedidentity-crud [01]|roleassignment-principalnotfound 0/.test(name)))(
  '%s is no operation: its Location is the resource',
  async (_, start, then) => {
    const { operations, server } = await replay(start, then);
    expect(start.headers?.['location']).toBeDefined();
    expect(operations).toEqual([]);
    expect(server.requests).toHaveLength(1);
  },
);

test('an HTML 503 from the poll URL costs one more poll and no second PUT', async () => {
  const [broken, whole] = recordings.find(({ recording }) => recording === 'excerpt-poll-503-html')?.operations ?? [];
  if (!broken || !whole) throw new Error('the recording is not there');
  // The recorded client gave up at the 503 and put again; here its second operation goes on behind the first URL.
  const url = broken.then[0]?.url as string;
  const rest = whole.then.map((interaction) =>
    interaction.url === broken.start.url ? interaction : { ...interaction, url },
  );
  const { result, operations, server } = await replay(broken.start, [...broken.then, ...rest]);
  expect(broken.then[0]).toMatchObject({ status: 503 });
  expect(operations[1]).toMatchObject({ kind: 'status', pollFailures: 1, url: operations[0]?.url });
  expect(operations[2]).toMatchObject({ state: 'InProgress' });
  expect(result).toMatchObject({ done: true, outcome: 'succeeded' });
  expect(server.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

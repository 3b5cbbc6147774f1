import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import type { Logger } from '../../../runtime/base/observability/log.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { MetricsReaders } from '../../../runtime/kube/metrics/metrics-readers.ts';
import { clusterRoleBindings, clusterRoles, serviceAccounts } from '../../conformance/resources.ts';
import { type Cluster, startCluster } from '../../fakes/cluster.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const minute = 60_000;

let cluster: Cluster;
let client: KubeClient;
let clock: ManualClock;
/** Questions to the API server, by kind. */
let questions: string[] = [];
/** Lets the questions fail or wait. */
let before: () => Promise<void> = async () => undefined;
/** Whether questions come back as they were sent. */
let echoes = false;
let lines: object[] = [];
let readers: MetricsReaders;

beforeAll(async () => {
  cluster = await startCluster();
  client = cluster.client;
  for (const name of ['prometheus', 'tenant']) {
    await client.create(serviceAccounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: 'default', name },
    });
  }
  const name = 'azimuth-metrics-reader';
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
  await client.create(clusterRoles, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules });
  await bind();
});
afterAll(() => cluster?.close());

beforeEach(() => {
  clock = new ManualClock();
  [questions, lines, before, echoes] = [[], [], async () => undefined, false];
  const warn = (fields: object, message: string) => void lines.push({ ...fields, message });
  const asking = {
    async create(type: ResourceType, object: KubeObject, options: { readonly signal?: AbortSignal }) {
      questions.push(type.kind);
      const { signal } = options;
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      aborted.catch(() => undefined);
      await Promise.race([before(), aborted]);
      return echoes ? object : client.create(type, object, options);
    },
  } as unknown as KubeClient;
  readers = new MetricsReaders({ client: asking, clock, log: { warn } as unknown as Logger });
});

const bind = () =>
  client.create(clusterRoleBindings, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'azimuth-metrics-reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'azimuth-metrics-reader' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'prometheus' }],
  });
const tokenOf = (name: string) => cluster.kube.tokenFor({ namespace: 'default', name });
const prometheusIp = '10.0.0.1';
const statusOf = async (token: string, address = prometheusIp) => (await readers.decide(token, address)).status;

test('a bound account may read, another account of the cluster may not, and an invented token is unknown', async () => {
  expect(await statusOf(await tokenOf('prometheus'))).toBe(200);
  expect(await readers.decide(await tokenOf('tenant'), '10.0.0.7')).toEqual({
    status: 403,
    message:
      'system:serviceaccount:default:tenant may not get the URL /metrics: bind it to the ClusterRole azimuth-metrics-reader.',
  });
  expect(await statusOf('eyJhbGciOiJub25lIn0.e30.')).toBe(401);
});

test('a reader is reviewed once a minute, and a right that is gone ends then', async () => {
  const token = await tokenOf('prometheus');
  for (let i = 0; i < 5; i++) expect(await statusOf(token)).toBe(200);
  expect(questions).toEqual(['TokenReview', 'SubjectAccessReview']);
  await client.delete(clusterRoleBindings, { name: 'azimuth-metrics-reader' });
  try {
    await clock.advance(minute - 1);
    expect(await statusOf(token)).toBe(200);
    await clock.advance(1);
    expect(await statusOf(token)).toBe(403);
  } finally {
    await bind();
  }
  // A refusal is not asked for again for ten seconds.
  expect(await statusOf(token)).toBe(403);
  await clock.advance(10_000);
  expect(await statusOf(token)).toBe(200);
});

test('readers with one token at the same time share one review', async () => {
  const token = await tokenOf('prometheus');
  expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(token)))).toEqual(Array(20).fill(200));
  expect(questions).toEqual(['TokenReview', 'SubjectAccessReview']);
});

test('while the API server is away nobody is allowed beyond the minute, and everybody is again when it is back', async () => {
  const token = await tokenOf('prometheus');
  expect(await statusOf(token)).toBe(200);
  before = () => Promise.reject(new AzimuthError('AZ_KUBE_UNREACHABLE', 'no route to the API server'));
  expect(await statusOf(token)).toBe(200);
  await clock.advance(minute);
  expect(await statusOf(token)).toBe(503);
  expect(await statusOf(await tokenOf('tenant'))).toBe(503);
  // One line, however often somebody asks.
  expect(lines).toEqual([
    {
      error: expect.stringContaining('no route'),
      message: 'readers of the metrics are refused: their tokens cannot be reviewed',
    },
  ]);
  before = async () => undefined;
  expect(await statusOf(token)).toBe(200);
});

test('a review that comes back without a decision refuses nobody for longer than the answer is wrong', async () => {
  const token = await tokenOf('prometheus');
  echoes = true;
  expect(await statusOf(token)).toBe(503);
  echoes = false;
  expect(await statusOf(token)).toBe(200);
});

test('invented tokens hold eight reviews at most, and a known reader does not wait behind them', async () => {
  const token = await tokenOf('prometheus');
  expect(await statusOf(token)).toBe(200);
  await clock.advance(minute);
  const { promise: slow, resolve: go } = Promise.withResolvers<void>();
  before = () => slow;
  questions = [];
  const invented = Array.from({ length: 200 }, (_, i) => statusOf(`invented-${i}`, `10.1.0.${i % 100}`));
  const known = statusOf(token);
  await new Promise((resolve) => setImmediate(resolve));
  expect(questions).toEqual(Array(9).fill('TokenReview'));
  go();
  expect(await known).toBe(200);
  const counts = Map.groupBy(await Promise.all(invented), (status) => status);
  expect([counts.get(401)?.length, counts.get(503)?.length]).toEqual([8, 192]);
});

test('pods with invented tokens do not keep out a reader whose token is new', async () => {
  const { promise: slow, resolve: go } = Promise.withResolvers<void>();
  before = () => slow;
  const invented = Array.from({ length: 200 }, (_, i) => statusOf(`invented-${i}`, `10.1.0.${i % 2}`));
  const fresh = statusOf(await tokenOf('prometheus'));
  await new Promise((resolve) => setImmediate(resolve));
  go();
  expect(await fresh).toBe(200);
  const counts = Map.groupBy(await Promise.all(invented), (status) => status);
  expect([counts.get(401)?.length, counts.get(503)?.length]).toEqual([7, 193]);
  expect(lines).toEqual([]);
});

test('no token, valid or not, is in a line of the log or in an answer', async () => {
  const tokens = [await tokenOf('tenant'), 'invented'];
  const answers = [];
  for (const token of tokens) answers.push(await readers.decide(token, prometheusIp));
  before = () => Promise.reject(new Error('broken'));
  answers.push(await readers.decide('another', '10.0.0.7'));
  expect(lines).toHaveLength(2);
  const written = JSON.stringify([lines, answers]);
  for (const token of [...tokens, 'another']) expect(written).not.toContain(token);
});

/** What the namespace of a tenant keeps off the nodes, by the API server that enforces the Pod Security level. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { TenantNamespace } from '../../../constructs/tenant-namespace.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';

const namespace = 'azimuth-tenant';
const { minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
// Pod Security admission is on from 1.23.
const enforces = Number.parseInt(minor, 10) >= 23;

const container = { name: 'app', image: 'app' };
const podOf = (spec: object) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'app', namespace },
    spec: { containers: [container], ...spec },
  });
const create = (spec: object) => tryKubectl(['create', '--dry-run=server', '-f', '-'], podOf(spec));
const port = { containerPort: 2579 };

(enforces ? describe : describe.skip)('a namespace of a tenant, from API server 1.23', () => {
  beforeAll(async () => {
    const chart = Testing.chart();
    new TenantNamespace(chart, 'Tenant', { name: namespace });
    await kubectl(['apply', '-f', '-'], JSON.stringify(Testing.synth(chart)[0]));
  });

  test('takes a pod that asks for nothing of its node', async () => {
    expect(await create({})).toMatchObject({ status: 0 });
  });

  test.each<[string, object]>([
    ['on the network of its node, where it could take the redirect address', { hostNetwork: true }],
    ['with the port of the node daemon', { containers: [{ ...container, ports: [{ ...port, hostPort: 2579 }] }] }],
    [
      'with files of its node, such as the socket of root',
      { volumes: [{ name: 'nmi', hostPath: { path: '/var/run/azimuth/nmi' } }] },
    ],
    [
      'that may write rules',
      { containers: [{ ...container, securityContext: { capabilities: { add: ['NET_ADMIN'] } } }] },
    ],
    ['with the processes of its node', { hostPID: true }],
  ])('refuses a pod %s', async (_, spec) => {
    const { status, stderr } = await create(spec);
    expect(status).not.toBe(0);
    expect(stderr).toContain('violates PodSecurity "baseline');
  });
});

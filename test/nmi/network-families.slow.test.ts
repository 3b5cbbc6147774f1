/** Nodes and pods of one address family only; network.slow.test.ts has those of both. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { curl, NodeDaemon, tokenUrl, whose } from './network/node-daemon.ts';
import { missingForNetwork, Topology } from './network/topology.ts';

const required = process.env['AZIMUTH_NETWORK_TESTS'] === 'required';
const missing = process.getuid?.() === 0 ? missingForNetwork() : 'root';
const runs = required || missing === undefined;
/** curl: could not connect. */
const refused = 7;

if (!runs) {
  test.skip(`NOT RUN: address families in network namespaces need ${missing}; CI runs them`, () => undefined);
}

(runs ? describe : describe.skip).each(['nft', 'legacy'] as const)('with real rules of iptables-%s', (variant) => {
  let net: Topology | undefined;
  afterEach(async () => {
    await net?.[Symbol.asyncDispose]();
    net = undefined;
  });

  test('pods that have an IPv6 address only get their own identities, by curl and by the SDK', async () => {
    net = await Topology.start('ipv6');
    const host = `[${net.metadata.ipv6}]`;
    await net.start('node', 'cluster.ts', [join(net.directory, 'kubeconfig'), ...net.podIp6s]);
    expect(whose(net, 'pod1', tokenUrl(host))).toBe('MACHINE');
    const flags = [`--iptables=${variant}`, `--metadata-ip=${net.metadata.ipv6}`, `--imds-endpoint=http://${host}`];
    const daemon = new NodeDaemon(net, [...flags, '--host-ip=fd98::2']);
    await daemon.start();
    expect(whose(net, 'pod1', tokenUrl(host))).toBe('client-pod1');
    expect(whose(net, 'pod2', tokenUrl(host))).toBe('client-pod2');
    // The SDK takes no address in brackets, so the pod knows the endpoint by a name, as of its hostAliases.
    const hosts = join(net.directory, 'hosts');
    writeFileSync(hosts, `${net.metadata.ipv6} metadata.azimuth\n`);
    const script = 'mount --bind "$0" /etc/hosts; AZURE_POD_IDENTITY_AUTHORITY_HOST=http://metadata.azimuth exec "$@"';
    const sdk = join(import.meta.dirname, 'network/sdk.ts');
    expect(net.must('pod2', 'sh', '-c', script, hosts, process.execPath, sdk)).toBe('client-pod2\n');
    const instance = JSON.parse(curl(net, 'pod1', `http://${host}/metadata/instance`).body);
    expect(instance).toMatchObject({ answeredBy: 'machine', peer: 'fd98::2' });

    // Another pod's address is no way to its identity, and while nobody listens nothing gets through.
    net.must('pod2', 'ip', 'address', 'add', 'fd99:1::2/128', 'dev', 'lo', 'nodad');
    expect(curl(net, 'pod2', '--interface', 'fd99:1::2', '--connect-timeout', '2', tokenUrl(host)).code).toBe(28);
    await daemon.stop('SIGKILL');
    expect(curl(net, 'pod1', tokenUrl(host)).code).toBe(refused);
  });

  test('a node without IPv6 that has both metadata addresses in its flags serves its pods by IPv4', async () => {
    net = await Topology.start('ipv4');
    const here = net;
    await net.start('node', 'cluster.ts', [join(net.directory, 'kubeconfig'), ...net.podIps]);
    const both = `--metadata-ip=${net.metadata.ipv4},${net.metadata.ipv6}`;
    const daemon = new NodeDaemon(net, [`--iptables=${variant}`, both]);
    await daemon.start();
    expect(whose(net, 'pod1', tokenUrl())).toBe('client-pod1');
    expect(daemon.log.match(/IPv6 is off on this node/g)).toHaveLength(1);

    // Switched on under the running daemon, it is served too.
    for (const where of ['node', 'pod1']) net.setIpv6(where, 'on');
    net.must('node', 'ip', 'address', 'add', 'fd99:1::1/64', 'dev', 'veth1', 'nodad');
    net.must('pod1', 'ip', 'address', 'add', 'fd99:1::2/64', 'dev', 'eth0', 'nodad');
    net.must('pod1', 'ip', 'route', 'add', 'default', 'via', 'fd99:1::1');
    const pod3 = [join(net.directory, 'kubeconfig.admin'), net.podIps[0], net.podIp6s[0]];
    await net.start('node', 'give-on.ts', pod3);
    const sixth = tokenUrl(`[${net.metadata.ipv6}]`);
    await eventually('IPv6 is served', () => whose(here, 'pod1', sixth) === 'client-pod3');
    await daemon.stop('SIGTERM');
    const [code] = await once(daemon.spawn('--cleanup'), 'exit');
    expect(code).toBe(0);
    expect(net.must('node', 'ip', 'address', 'show', 'dev', 'lo')).not.toMatch(/169\.254\.169\.253|fd61/);
  });
});

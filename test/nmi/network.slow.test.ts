import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { curl as curlIn, NodeDaemon, tokenUrl, whose as whoseIn } from './network/node-daemon.ts';
import { missingForNetwork, Topology } from './network/topology.ts';

/** CI sets this: there the tests must run, and fail where they cannot. */
const required = process.env['AZIMUTH_NETWORK_TESTS'] === 'required';
const missing = process.getuid?.() === 0 ? missingForNetwork() : 'root';
const runs = required || missing === undefined;
/** curl: could not connect, as from a reset in answer to the first packet. */
const refused = 7;
/** curl: the connection ended before an answer. */
const cut = 56;

if (!runs) {
  test.skip(`NOT RUN: rules in network namespaces need ${missing}; CI runs them`, () => undefined);
}

const variants = ['nft', 'legacy'] as const;

(runs ? describe : describe.skip).each(variants)('with real rules of iptables-%s in network namespaces', (variant) => {
  let net: Topology;
  let daemon: NodeDaemon;
  const curl = (where: string, ...args: string[]) => curlIn(net, where, ...args);
  const whose = (where: string, ...args: string[]) => whoseIn(net, where, ...args);
  const rules = () =>
    ['iptables', 'ip6tables']
      .map((name) => net.run('node', `${name}-${variant}-save`).stdout)
      .join('\n')
      .split('\n')
      .filter((line) => line.includes('AZIMUTH'))
      .map((line) => line.replace(/ \[\d+:\d+\]$/, ''));

  beforeAll(async () => {
    if (missing) throw new Error(`The network tests are required here and need ${missing}`);
    net = await Topology.start();
    daemon = new NodeDaemon(net, [`--iptables=${variant}`, `--metadata-ip=${net.metadata.ipv4},${net.metadata.ipv6}`]);
    const pods = net.podIps.map((ip, index) => `${ip},${net.podIp6s[index]}`);
    await net.start('node', 'cluster.ts', [join(net.directory, 'kubeconfig'), ...pods]);
  });

  afterAll(async () => {
    await net?.[Symbol.asyncDispose]();
  });

  test('without the daemon a pod reaches the endpoint of the machine: this is what must not be', () => {
    expect(whose('pod1', tokenUrl())).toBe('MACHINE');
    expect(whose('pod1', tokenUrl(`[${net.metadata.ipv6}]`))).toBe('MACHINE');
  });

  test('a connection that is older than the rules ends when they come', async () => {
    const pod = net.spawn('pod1', [join(import.meta.dirname, 'network/keep-alive.ts')]);
    const answers: string[] = [];
    pod.stdout?.setEncoding('utf8').on('data', (text: string) => answers.push(text.trim()));
    await eventually('the machine answers', () => answers.length === 1);
    await daemon.start();
    pod.stdin?.write('\n');
    await eventually('the connection is of no more use', () => answers.length === 2);
    expect(answers).toEqual(['machine', expect.stringMatching(/^(ECONNRESET|closed|EPIPE)$/)]);
    pod.kill('SIGKILL');
  });

  test('each pod gets its own identity, by plain curl, over both families', () => {
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
    expect(whose('pod2', tokenUrl())).toBe('client-pod2');
    expect(whose('pod1', tokenUrl(`[${net.metadata.ipv6}]`))).toBe('client-pod1');
    expect(whose('pod2', tokenUrl(`[${net.metadata.ipv6}]`))).toBe('client-pod2');
  });

  test('and by the unmodified SDK', async () => {
    const application = net.spawn('pod1', [join(import.meta.dirname, 'network/sdk.ts')]);
    let text = '';
    application.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    // Not its exit, which may come before what it printed.
    const [code] = await once(application, 'close');
    expect([code, text]).toEqual([0, 'client-pod1\n']);
  });

  test('other requests reach the machine through the daemon, from the address of the node', () => {
    const { body } = curl('pod1', 'http://169.254.169.254/metadata/instance?api-version=2021-02-01');
    expect(JSON.parse(body)).toMatchObject({ answeredBy: 'machine', peer: '10.98.0.2' });
  });

  test('the node itself is not redirected', () => {
    expect(whose('node', tokenUrl())).toBe('MACHINE');
  });

  test('no setting of route_localnet was needed', () => {
    for (const name of ['all', 'veth1', 'eth0']) {
      expect(net.must('node', 'sysctl', '-n', `net.ipv4.conf.${name}.route_localnet`).trim()).toBe('0');
    }
  });

  test('a neighbour of the node cannot reach the daemon by its redirect address', () => {
    net.must('fabric', 'ip', 'route', 'replace', '169.254.169.253/32', 'via', '10.98.0.2');
    expect(curl('fabric', 'http://169.254.169.253:2579/metadata/instance').code).toBe(refused);
  });

  test("a pod that takes another's address as its source gets nothing", () => {
    net.must('pod2', 'ip', 'address', 'add', '10.99.1.2/32', 'dev', 'lo');
    const { code } = curl('pod2', '--interface', '10.99.1.2', '--connect-timeout', '2', tokenUrl());
    net.must('pod2', 'ip', 'address', 'del', '10.99.1.2/32', 'dev', 'lo');
    // No answer at all: its packets are dropped before a connection exists. Replies would go to the rightful pod.
    expect(code).toBe(28);
    expect(whose('pod2', tokenUrl())).toBe('client-pod2');
  });

  test('rules that somebody changes are repaired, and pods never get through meanwhile', async () => {
    const before = rules();
    expect(before.length).toBeGreaterThan(10);
    for (const name of [`iptables-${variant}`, `ip6tables-${variant}`]) {
      net.must('node', name, '-w', '-t', 'nat', '-F', 'PREROUTING');
      net.must('node', name, '-w', '-t', 'raw', '-F', 'AZIMUTH-NMI-SOURCE');
    }
    const during = curl('pod1', tokenUrl());
    // Either the guard refused it, or the repair was quicker, or it came in the midst of that, which ends connections.
    const own = during.body.includes(Buffer.from('{"appid":"client-pod1"}').toString('base64url'));
    expect([refused, cut, ...(own ? [0] : [])]).toContain(during.code);
    await eventually('the rules are back', () => rules().join('\n') === before.join('\n'));
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
    // A rule that others put before ours is put behind it again.
    net.must(
      'node',
      `iptables-${variant}`,
      '-w',
      '-t',
      'nat',
      '-I',
      'PREROUTING',
      '1',
      '-d',
      '10.1.2.3/32',
      '-j',
      'ACCEPT',
    );
    await eventually('ours is first again', () => {
      const [, first] = net.must('node', `iptables-${variant}`, '-w', '-t', 'nat', '-S', 'PREROUTING').split('\n');
      return first === '-A PREROUTING -j AZIMUTH-NMI';
    });
    expect(net.must('node', 'curl', '-sS', 'http://127.0.0.1:8085/metrics')).toMatch(
      /azimuth_nmi_redirection_repairs_total\{family="ipv4"\} [1-9]/,
    );
  });

  test('a pod that asks without pause while the daemon is killed and started again never reaches the machine', async () => {
    const poller = net.spawn('pod1', [join(import.meta.dirname, 'network/poll.ts')]);
    let text = '';
    poller.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await eventually('it asks', () => text.startsWith('polls'));
    try {
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        await daemon.stop(signal);
        await daemon.start();
        expect(whose('pod1', tokenUrl())).toBe('client-pod1');
      }
    } finally {
      const end = once(poller, 'close');
      poller.stdin?.end();
      await end;
    }
    const counts = JSON.parse(text.split('\n')[1] ?? '{}') as Record<string, number>;
    expect(counts).toMatchObject({ ECONNREFUSED: expect.any(Number), 'client-pod1': expect.any(Number) });
    // A connection that the daemon's end cut off, or one that came before it knew its pods.
    const others = Object.keys(counts).filter(
      (answer) => !['ECONNREFUSED', 'client-pod1', 'ECONNRESET', '503'].includes(answer),
    );
    expect(others).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s pods are refused, and served again when the daemon is back, with the rules never away',
    async (signal) => {
      // In order to end, the daemon closes its address to all; killed, it leaves that to the kernel.
      const guarded = () => rules().map((line) => line.replace(' -m conntrack ! --ctstate DNAT', ''));
      const before = rules();
      await daemon.stop(signal);
      expect(curl('pod1', tokenUrl()).code).toBe(refused);
      expect(curl('pod2', tokenUrl(`[${net.metadata.ipv6}]`)).code).toBe(refused);
      expect(curl('pod1', 'http://169.254.169.254/metadata/instance').code).toBe(refused);
      expect(guarded()).toEqual(before.map((line) => line.replace(' -m conntrack ! --ctstate DNAT', '')));
      await daemon.start();
      expect(rules()).toEqual(before);
      expect(whose('pod1', tokenUrl())).toBe('client-pod1');
    },
  );

  test('a host process that is not root cannot ask for a pod; root can, by the Unix socket', () => {
    const named = ['-H', 'podns: default', '-H', 'podname: pod1'];
    const url = 'http://127.0.0.1:2579/host/token/?resource=r';
    expect(curl('node', ...named, url).body).toMatch(/served by the Unix socket/);
    expect(curl('pod1', ...named, 'http://169.254.169.254/host/token/?resource=r').body).toMatch(/not from a host/);
    const socket = ['--unix-socket', join(net.directory, 'nmi.sock')];
    expect(JSON.parse(curl('node', ...named, ...socket, url).body)).toMatchObject({ clientid: 'client-pod1' });
    net.must('node', 'chmod', '711', net.directory);
    const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', 'curl', '-sS', ...socket, ...named, url];
    expect(net.run('node', 'setpriv', ...drop)).toMatchObject({ code: 7, stdout: '' });
    expect(net.must('node', 'stat', '-c', '%a %u', join(net.directory, 'nmi.sock')).trim()).toBe('600 0');
  });

  /** A process that listens on the daemon's redirect address; `user` is code that drops privileges first. */
  const squat = async (user: string) => {
    const answer = '(_, response) => response.end("squatted")';
    const listen = `require("node:http").createServer(${answer}).listen(2579, "169.254.169.253", () => console.log("up"))`;
    const squatter = net.spawn('node', ['-e', `${user}${listen}`]);
    await once(squatter.stdout as NonNullable<typeof squatter.stdout>, 'data');
    return squatter;
  };

  test('a process on the redirect address answers no pod: not without root after a kill, not as root after an orderly end', async () => {
    // Killed, the daemon leaves the rules as they are: the kernel drops what a process other than root's answers.
    await daemon.stop('SIGKILL');
    const nobody = await squat('process.setgid(65534); process.setuid(65534);');
    expect(curl('node', 'http://169.254.169.253:2579/').code).not.toBe(0);
    expect(curl('pod1', '--connect-timeout', '2', tokenUrl()).code).toBe(28);
    // Started while the place is taken, it closes the rules and ends.
    const [code] = await once(daemon.spawn(), 'exit');
    expect(code).not.toBe(0);
    expect(curl('pod1', '--connect-timeout', '2', tokenUrl()).code).toBe(refused);
    nobody.kill('SIGKILL');
    await daemon.start();
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
    // Ended in order, it leaves closed rules, so that root's processes answer nobody either.
    await daemon.stop('SIGTERM');
    const root = await squat('');
    expect(curl('pod1', '--connect-timeout', '2', tokenUrl()).code).toBe(refused);
    root.kill('SIGKILL');
    await daemon.start();
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
  });

  test('after a kill, a process of root with the address answers pods until the daemon starts, and not longer', async () => {
    await daemon.stop('SIGKILL');
    const root = await squat('');
    expect(curl('pod1', '--connect-timeout', '2', tokenUrl()).body).toBe('squatted');
    const [code] = await once(daemon.spawn(), 'exit');
    expect(code).not.toBe(0);
    expect(curl('pod1', '--connect-timeout', '2', tokenUrl()).code).toBe(refused);
    root.kill('SIGKILL');
    await daemon.start();
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
  });

  test('while another daemon has its port on the node pods are served, and callers on the node once that ends', async () => {
    await daemon.stop('SIGTERM');
    const answer = '(_, response) => response.end("the other one")';
    const listen = `require("node:http").createServer(${answer}).listen(2579, "127.0.0.1", () => console.log("up"))`;
    const other = net.spawn('node', ['-e', listen]);
    await once(other.stdout as NonNullable<typeof other.stdout>, 'data');
    await daemon.start();
    expect(whose('pod1', tokenUrl())).toBe('client-pod1');
    const host = () => curl('node', 'http://127.0.0.1:2579/host/token/?resource=r').body;
    expect(host()).toBe('the other one');
    other.kill('SIGKILL');
    await eventually('callers on the node are served', () => host().includes('podns'));
  });

  test('a pod that was given the address of another gets no token of that one before its own record is there', async () => {
    net.replace(1);
    const { body } = curl('pod1', '--write-out', '%{http_code}', tokenUrl());
    expect(body).toMatch(/"the pod with the address 10\.99\.1\.2 was reached by another link; .*\n503$/);
    expect(curl('pod1', '--write-out', '%{http_code}', tokenUrl(`[${net.metadata.ipv6}]`)).body).toMatch(/503$/);
    expect(whose('pod2', tokenUrl())).toBe('client-pod2');
    const addresses = [net.podIps[0], net.podIp6s[0]];
    await net.start('node', 'give-on.ts', [join(net.directory, 'kubeconfig.admin'), ...addresses]);
    await eventually('the new pod is known', () => whose('pod1', tokenUrl()) === 'client-pod3');
    expect(whose('pod1', tokenUrl(`[${net.metadata.ipv6}]`))).toBe('client-pod3');
  });

  test('--cleanup removes every trace, twice without harm', async () => {
    await daemon.stop('SIGTERM');
    for (let i = 0; i < 2; i++) {
      const [code] = await once(daemon.spawn('--cleanup'), 'exit');
      expect(code).toBe(0);
      expect(rules()).toEqual([]);
      expect(net.must('node', 'ip', 'address', 'show', 'dev', 'lo')).not.toContain('169.254.169.253');
    }
    expect(whose('pod1', tokenUrl())).toBe('MACHINE');
  });
});

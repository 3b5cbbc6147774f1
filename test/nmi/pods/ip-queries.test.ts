import { expect, test } from '@jest/globals';
import { IpQueries, type IpQueriesOptions } from '../../../runtime/nmi/pods/ip-queries.ts';
import { KernelLinks } from '../../../runtime/nmi/pods/link-lookup.ts';

/** A process that answers as iproute2 6.1 does; `more` are further cases of a shell's `case`. */
function fakeIp(more = '', rest: IpQueriesOptions = {}) {
  const command = `n=0
while read -r line; do n=$((n + 1)); case "$line" in
  ${more}
  'route get fibmatch 10.99.1.2') echo '10.99.1.2 dev veth1 scope link ' ;;
  'route get fibmatch 10.99.1.3') echo '10.99.1.0/24 dev cbr0 proto kernel scope link src 10.99.1.1 ' ;;
  'route get fibmatch fd99:1::2') echo 'fd99:1::/64 dev veth1 proto kernel metric 256 pref medium' ;;
  'route get fibmatch 8.8.8.8') echo 'default via 10.98.0.1 dev eth0 ' ;;
  'route get fibmatch 127.0.0.1') echo 'local 127.0.0.0/8 dev lo proto kernel scope host src 127.0.0.1 ' ;;
  'neigh get 10.99.1.2 dev veth1') echo '10.99.1.2 dev veth1 lladdr 0a:58:0a:63:01:02 REACHABLE ' ;;
  'neigh get 10.99.1.3 dev cbr0') echo '10.99.1.3 dev cbr0  FAILED ' ;;
  'neigh get 10.99.1.4 dev cbr0') echo 'Error: Neighbour entry not found.'; echo "Command failed -:$n" ;;
  'route get '*) echo 'RTNETLINK answers: Network is unreachable'; echo "Command failed -:$n" ;;
  *) echo "Cannot find device"; echo "Command failed -:$n" ;;
esac; done`;
  return new IpQueries({ command, ...rest });
}

const table = { of: () => ({ index: 99, mac: 'of the table', device: 'table' }) };

function linksWith(queries: IpQueries, indexes: Record<string, number> = { veth1: 12, cbr0: 3 }) {
  return new KernelLinks({ queries, readTable: () => table, indexOf: (device) => indexes[device] ?? 0 });
}

test('answers come in the order of the questions, with what is not there between them', async () => {
  const ip = fakeIp();
  const answers = await Promise.all([
    ip.route('10.99.1.2'),
    ip.neighbour('10.99.1.4', 'cbr0'),
    ip.neighbour('10.99.1.2', 'veth1'),
    ip.route('10.97.0.1'),
    ip.neighbour('10.99.1.3', 'cbr0'),
    ip.route('8.8.8.8'),
    ip.route('127.0.0.1'),
    ip.route('fd99:1::2'),
  ]);
  expect(answers).toEqual([
    { device: 'veth1', pod: true },
    undefined,
    '0a:58:0a:63:01:02',
    { device: '', pod: false },
    undefined,
    { device: 'eth0', pod: false },
    { device: 'lo', pod: false },
    { device: 'veth1', pod: true },
  ]);
  ip.close();
  await expect(ip.route('10.99.1.2')).rejects.toThrow('ip is broken');
});

test('a link has the present index of the interface, and the neighbour on it', async () => {
  const links = linksWith(fakeIp());
  expect(await links.of('10.99.1.2')).toEqual({ index: 12, mac: '0a:58:0a:63:01:02', device: 'veth1' });
  expect(await links.of('10.99.1.2', 'veth1')).toEqual({ index: 12, mac: '0a:58:0a:63:01:02', device: 'veth1' });
  expect(await links.of('10.99.1.3', 'cbr0')).toEqual({ index: 3, mac: undefined, device: 'cbr0' });
  expect(await links.of('fd99:1::2', 'veth1')).toEqual({ index: 12, mac: undefined, device: 'veth1' });
  expect(await links.of('8.8.8.8')).toBeUndefined();
  links.close();
});

const broken: [string, IpQueries][] = [
  ['is not installed', fakeIp('', { command: 'exec no-such-program 2>&1' })],
  ['ends', fakeIp('*) exit 1 ;;')],
  ['does not answer', fakeIp('*) ;;', { limitMs: 50 })],
  ['does not have the command', fakeIp(`route*) echo 'Error: "fibmatch" is unknown'; echo "Command failed -:$n" ;;`)],
  [
    'does not have neighbours',
    fakeIp('neigh*) echo "RTNETLINK answers: Operation not supported"; echo "Command failed -:$n" ;;'),
  ],
  [
    'answers another question',
    fakeIp('neigh*) echo "10.99.1.9 dev veth1 lladdr 0a:58:0a:63:01:09 STALE" ;;', { limitMs: 50 }),
  ],
  ['is out of step', fakeIp(`neigh*) echo 'Error: Neighbour entry not found.'; echo 'Command failed -:9' ;;`)],
];

test.each(broken)('where iproute2 %s, the whole table answers', async (_, queries) => {
  const links = linksWith(queries);
  const [first, second] = [links.of('10.99.1.2'), links.of('10.99.1.2', 'veth1')];
  expect([await first, await second, await links.of('10.99.1.2')]).toEqual([table.of(), table.of(), table.of()]);
  links.close();
});

test('where the interface is gone, the whole table answers, and a new process after a pause', async () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, sleep: () => Promise.resolve() };
  const links = linksWith(fakeIp('', { clock }));
  expect(await links.of('10.99.1.2', 'veth0')).toEqual(table.of());
  expect(await links.of('10.99.1.2')).toEqual(table.of());
  now = 1001;
  expect(await links.of('10.99.1.2')).toMatchObject({ index: 12 });
  links.close();
  const unnamed = linksWith(fakeIp(), {});
  expect(await unnamed.of('10.99.1.2')).toEqual(table.of());
  unnamed.close();
});

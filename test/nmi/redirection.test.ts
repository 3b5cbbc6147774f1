/** What the rules are and when they are touched, without the right to touch any: see network.slow.test.ts for real ones. */
import { expect, test } from '@jest/globals';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import type { CommandRunner } from '../../runtime/nmi/redirection/command.ts';
import { Redirection } from '../../runtime/nmi/redirection/redirection.ts';
import { inPlace, readTable, removalScript, repairScript, ruleSet } from '../../runtime/nmi/redirection/rules.ts';
import { detectVariant } from '../../runtime/nmi/redirection/variant.ts';
import { FakeMachine } from './fake-machine.ts';

const options = { metadataIps: ['169.254.169.254'], metadataPort: 80, redirectIp: '169.254.169.253', port: 2579 };
const chains = ruleSet({ ...options, family: 'ipv4', reversePath: true, owner: true, open: true });
const nat = chains.find(({ table }) => table === 'nat') as (typeof chains)[number];

function redirection(machine: FakeMachine, changes: Partial<ConstructorParameters<typeof Redirection>[0]> = {}) {
  const repairs: string[] = [];
  const made = new Redirection({
    metadataIps: ['169.254.169.254', 'fd00::fe'],
    metadataPort: 80,
    redirectIps: ['169.254.169.253', 'fd61::fd'],
    port: 2579,
    variant: 'nft',
    conntrack: true,
    log: silentLogger,
    run: machine.run,
    ipv6: () => true,
    onRepair: (family) => repairs.push(family),
    ...changes,
  });
  made.admit(true);
  return Object.assign(made, { repairs });
}

test('guards come before the translation, and the target is no address of 127.0.0.0/8', () => {
  expect(chains.map(({ table, parent }) => `${table} ${parent}`)).toEqual([
    'filter FORWARD',
    'filter INPUT',
    'filter OUTPUT',
    'raw PREROUTING',
    'nat PREROUTING',
  ]);
  expect(nat.rules).toEqual([
    '-d 169.254.169.254/32 -p tcp -m tcp --dport 80 -j DNAT --to-destination 169.254.169.253:2579',
  ]);
});

test('while the daemon does not listen, its address is refused to all, and processes that are not root never answer', () => {
  const rules = (open: boolean) => {
    const all = ruleSet({ ...options, family: 'ipv4', reversePath: true, owner: true, open });
    return all.filter(({ table }) => table === 'filter').flatMap((chain) => chain.rules);
  };
  const toDaemon = '-d 169.254.169.253/32 -p tcp -m tcp --dport 2579';
  expect(rules(false)).toContain(`${toDaemon} -j REJECT --reject-with tcp-reset`);
  expect(rules(true)).toContain(`${toDaemon} -m conntrack ! --ctstate DNAT -j REJECT --reject-with tcp-reset`);
  for (const open of [true, false])
    expect(rules(open)).toContain(
      '-s 169.254.169.253/32 -p tcp -m tcp --sport 2579 ! --tcp-flags RST RST -m owner --socket-exists ! --uid-owner 0 -j DROP',
    );
});

test.each([
  ['nothing there', '-P PREROUTING ACCEPT', false],
  [
    'in place',
    `-N AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI\n-A PREROUTING -j OTHER\n-A AZIMUTH-NMI ${nat.rules[0]}`,
    true,
  ],
  [
    'behind another rule',
    `-N AZIMUTH-NMI\n-A PREROUTING -j OTHER\n-A PREROUTING -j AZIMUTH-NMI\n-A AZIMUTH-NMI ${nat.rules[0]}`,
    false,
  ],
  [
    'jumped to twice',
    `-N AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI\n-A AZIMUTH-NMI ${nat.rules[0]}`,
    false,
  ],
  ['empty', '-N AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI', false],
  ['changed', '-N AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI\n-A AZIMUTH-NMI -j RETURN', false],
])('a table that is %s is recognised', (_, listing, expected) => {
  expect(inPlace(nat, readTable(nat, listing))).toBe(expected);
});

test('a repair is one step for a table, and leaves a jump that is right alone', () => {
  const jumpRight = readTable(nat, '-N AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI');
  expect(repairScript(nat, jumpRight)).toBe(`*nat\n:AZIMUTH-NMI - [0:0]\n-A AZIMUTH-NMI ${nat.rules[0]}\nCOMMIT\n`);
  const twice = readTable(
    nat,
    '-N AZIMUTH-NMI\n-A PREROUTING -j X\n-A PREROUTING -j AZIMUTH-NMI\n-A PREROUTING -j AZIMUTH-NMI',
  );
  expect(repairScript(nat, twice).split('\n').slice(3)).toEqual([
    '-D PREROUTING -j AZIMUTH-NMI',
    '-D PREROUTING -j AZIMUTH-NMI',
    '-I PREROUTING 1 -j AZIMUTH-NMI',
    'COMMIT',
    '',
  ]);
  expect(removalScript(nat, readTable(nat, '-P PREROUTING ACCEPT'))).toBeUndefined();
});

test('rules are added once, verified without a write, repaired where they changed, and removed', async () => {
  const machine = new FakeMachine();
  const ours = redirection(machine);
  expect(ours.notReady()).toBeDefined();
  await ours.ensure();
  expect(ours.notReady()).toBeUndefined();
  expect(ours.addresses).toEqual(['169.254.169.253', 'fd61::fd']);
  expect(machine.scripts).toHaveLength(10);
  expect(machine.calls.filter((call) => call.startsWith('conntrack'))).toEqual([
    'conntrack -D -f ipv4 -p tcp --orig-dst 169.254.169.254 --orig-port-dst 80',
    'conntrack -D -f ipv6 -p tcp --orig-dst fd00::fe --orig-port-dst 80',
  ]);
  await ours.ensure();
  expect(machine.scripts).toHaveLength(10);
  expect(ours.repairs).toEqual([]);
  machine.table('6', 'nat').length = 0;
  await ours.ensure();
  expect(machine.scripts).toHaveLength(11);
  expect(ours.repairs).toEqual(['ipv6']);
  for (const name of ['iptables-nft-save', 'ip6tables-nft-save']) {
    machine.saved[name] = chains.map((chain) => `:${chain.name} - [0:0]`).join('\n');
  }
  await ours.remove();
  expect([...machine.tables.values()].flat()).toEqual([]);
  expect(machine.addresses).not.toMatch(/169\.254|fd61/);
});

test('without the rpfilter match the other rules are added', async () => {
  const machine = new FakeMachine();
  machine.rpfilter = false;
  await redirection(machine).ensure();
  expect(machine.scripts.join('')).not.toContain('AZIMUTH-NMI-SOURCE');
  expect(machine.scripts).toHaveLength(8);
});

test('a command that fails leaves the daemon not ready, with the output of the command', async () => {
  const machine = new FakeMachine();
  const run: CommandRunner = async (program, args, input) =>
    program.endsWith('-restore') && !input?.includes('PROBE')
      ? { code: 4, stdout: '', stderr: 'Another app is currently holding the xtables lock' }
      : machine.run(program, args, input);
  const ours = redirection(machine, { run });
  await expect(ours.ensure()).rejects.toMatchObject({ code: 'AZ_REDIRECTION_FAILED' });
  expect(ours.notReady()).toMatch(/xtables lock/);
});

test.each([
  ['nft, when nothing says otherwise', {}, [], 'nft'],
  [
    'the one where kubelet left its mark',
    { 'iptables-legacy-save': '*mangle\n:KUBE-KUBELET-CANARY - [0:0]\n' },
    [],
    'legacy',
  ],
  [
    'the one with more rules',
    { 'iptables-legacy-save': '-A X -j Y\n-A X -j Z', 'iptables-nft-save': '-A X -j Y' },
    [],
    'legacy',
  ],
  ['the one that is installed', {}, ['iptables-nft', 'ip6tables-nft'], 'legacy'],
])('the variant is %s', async (_, saved, missing, expected) => {
  const machine = new FakeMachine();
  machine.saved = saved as Record<string, string>;
  machine.missing = missing;
  expect(await detectVariant(machine.run, ['iptables', 'ip6tables'])).toBe(expected);
});

test('with neither variant installed the error names the consequence', async () => {
  const machine = new FakeMachine();
  machine.missing = ['iptables', 'ip6tables'];
  await expect(detectVariant(machine.run, ['iptables'])).rejects.toThrow(
    /Neither the nft nor the legacy variant of iptables is installed; pods would reach.*AZIMUTH_NODE_IMAGE/,
  );
});

test('where pods know no IPv6 address of the endpoint, ip6tables need not be there', async () => {
  const machine = new FakeMachine();
  machine.missing = ['ip6tables'];
  const ours = redirection(machine, { variant: 'auto', metadataIps: ['169.254.169.254'] });
  await ours.ensure();
  expect(ours.addresses).toEqual(['169.254.169.253']);
});

test('with IPv6 off the rest is served, and IPv6 too once it is on', async () => {
  const machine = new FakeMachine();
  let on = false;
  const run: CommandRunner = async (program, args, input) =>
    !on && program === 'ip' && args.some((arg) => arg.startsWith('fd61'))
      ? { code: 2, stdout: '', stderr: 'Error: ipv6: IPv6 is disabled on this device.' }
      : machine.run(program, args, input);
  const ours = redirection(machine, { run, ipv6: () => on });
  await ours.ensure();
  expect([ours.notReady(), ours.addresses]).toEqual([undefined, ['169.254.169.253']]);
  // What comes by IPv6 all the same is led to where nobody is.
  expect(machine.table('6', 'nat')).toContain('-A PREROUTING -j AZIMUTH-NMI');
  on = true;
  await ours.ensure();
  expect(ours.addresses).toEqual(['169.254.169.253', 'fd61::fd']);
  expect(machine.addresses).toContain(' fd61::fd/128 ');
});

test('a kernel without IPv6 has no tables for it, and the IPv4 rules are added', async () => {
  const machine = new FakeMachine();
  const run: CommandRunner = async (program, args, input) =>
    program.startsWith('ip6tables')
      ? { code: 3, stdout: '', stderr: 'Address family not supported by protocol' }
      : machine.run(program, args, input);
  const ours = redirection(machine, { run, ipv6: () => false });
  await ours.ensure();
  expect([ours.notReady(), ours.addresses]).toEqual([undefined, ['169.254.169.253']]);
  // With IPv6 on, that is an error: pods could reach the machine by it. IPv4 is redirected by then.
  const other = new FakeMachine();
  const failing: CommandRunner = async (program, args, input) =>
    program.startsWith('ip6tables')
      ? { code: 3, stdout: '', stderr: 'Permission denied' }
      : other.run(program, args, input);
  await expect(redirection(other, { run: failing }).ensure()).rejects.toMatchObject({ code: 'AZ_REDIRECTION_FAILED' });
  expect(other.table('4', 'nat')).toContain('-A PREROUTING -j AZIMUTH-NMI');
});

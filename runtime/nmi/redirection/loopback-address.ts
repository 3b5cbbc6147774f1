import { isIPv6 } from 'node:net';
import { type CommandRunner, must } from './command.ts';

/**
 * Adds the redirect address to the loopback interface, where it belongs to the node and to no network. Unlike
 * 127.0.0.0/8 it is reachable from other interfaces without route_localnet. Throws AZ_REDIRECTION_FAILED.
 */
export async function ensureLoopbackAddress(run: CommandRunner, ip: string): Promise<void> {
  const address = withPrefix(ip);
  if (await has(run, address)) return;
  // Without duplicate address detection: the daemon could not listen on the address while it runs.
  const flags = isIPv6(ip) ? ['nodad'] : ['scope', 'host'];
  await must(run, 'ip', ['address', 'replace', address, 'dev', 'lo', ...flags]);
}

/** Removes the redirect address. Returns it with its prefix; undefined where the interface does not have it. */
export async function removeLoopbackAddress(run: CommandRunner, ip: string): Promise<string | undefined> {
  const address = withPrefix(ip);
  if (!(await has(run, address))) return undefined;
  await must(run, 'ip', ['address', 'del', address, 'dev', 'lo']);
  return address;
}

async function has(run: CommandRunner, address: string): Promise<boolean> {
  return (await must(run, 'ip', ['-o', 'address', 'show', 'dev', 'lo'])).includes(` ${address} `);
}

function withPrefix(ip: string): string {
  return `${ip}/${isIPv6(ip) ? 128 : 32}`;
}

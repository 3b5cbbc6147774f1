import { setTimeout as pause } from 'node:timers/promises';
import { types, type Written, written } from './attack.ts';
import { hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

/** Addresses of the hostile tenant's pods, by name. */
const addresses = new Map<string, string>();

/** The address of a pod of the tenant, which its identities select by the pod's name; starts the pod at first. */
export async function podOf(world: TenantWorld, name: string): Promise<string> {
  const ip = addresses.get(name) ?? (await world.runPod(hostile, name, name)).ip;
  addresses.set(name, ip);
  return ip;
}

/** An AzureIdentity, and the binding that gives it to the pod of the same name or of another label. */
export const pairOf = (name: string, resourceID: string, clientID: string, selector = name): Written[] => [
  written(types.azureIdentity, name, { type: 0, resourceID, clientID }),
  written(types.binding, name, { azureIdentity: name, selector }),
];

/** The client id in the access token of an answer, in lower case. */
export function clientIdOf(body: string): string {
  const { access_token: token } = JSON.parse(body) as { access_token: string };
  const { appid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { appid: string };
  return appid.toLowerCase();
}

/** Tries, half a second apart, while the daemon resets connections above the share of the hostile namespace. */
const mostTries = 60;

/** A request of a hostile pod, again while the daemon resets its connections. */
export async function askAsHostile(
  world: TenantWorld,
  ip: string,
  ...more: [path?: string, method?: string]
): ReturnType<typeof askForToken> {
  for (let tries = 0; ; tries++) {
    try {
      return await askForToken(world.metadata, ip, ...more);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' || tries === mostTries) throw error;
      await pause(500);
    }
  }
}

/** An answer of the node daemon to a token request with these parameters. */
export async function tokenFor(
  world: TenantWorld,
  ip: string,
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: string; readonly clientId: string }> {
  const all = { 'api-version': '2018-02-01', resource: 'https://vault.azure.net', ...query };
  const path = `/metadata/identity/oauth2/token?${new URLSearchParams(all)}`;
  const { status, body } = await askAsHostile(world, ip, path);
  return { status, body, clientId: status === 200 ? clientIdOf(body) : '' };
}

/** ARM ids of the identities on the machine, in lower case. */
export async function attached(world: TenantWorld): Promise<string[]> {
  const { body } = await world.portal.arm('GET', world.scaleSet, '2022-03-01');
  return Object.keys(body.identity?.userAssignedIdentities ?? {}).map((id) => id.toLowerCase());
}

/** Events of a namespace that concern an object or name it. */
export async function eventsAbout(world: TenantWorld, name: string, namespace: string = hostile) {
  return (await world.admin.list(types.events, { namespace })).items.filter(
    (event) => event['regarding']?.name === name || String(event['note']).includes(name),
  );
}

/** A number of the daemon's or another program's metrics, summed over its labels; 0 where it is missing. */
export async function metric(
  world: TenantWorld,
  program: keyof TenantWorld['programs'],
  name: RegExp,
): Promise<number> {
  const text = await world.metrics.text(program);
  const rows = text.split('\n').filter((row) => !row.startsWith('#') && name.test(row));
  return rows.reduce((sum, row) => sum + Number(row.slice(row.lastIndexOf(' '))), 0);
}

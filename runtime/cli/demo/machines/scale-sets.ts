import { cloudFromEnvironment } from '../../../azure/clouds.ts';
import { httpCall } from '../../../azure/http-call.ts';
import { clientSecretAuthorizer } from '../../../azure/identity/authorizers/client-secret.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { createDispatcher } from '../../../base/http/client.ts';
import type { Followed } from '../follow.ts';
import type { DemoWorld } from '../world.ts';
import { machinesGroup } from './secret-endpoint.ts';

const API_VERSION = '2024-07-01';
const POLL_MS = 200;

/** The instances of a scale set, as Azure counts them. */
export interface Instances {
  readonly total: number;
  /** Those with the newest model. */
  readonly current: number;
  /** URL of the certificate in the model. */
  readonly certificate: string;
}

const absent: Instances = { total: 0, current: 0, certificate: '' };

/** Reads a scale set of `machinesGroup` from Azure, by name; undefined while it is not there. */
export type ReadInstances = (name: string) => Promise<Instances | undefined>;

/** Reads scale sets as somebody in the portal does, while `work` runs. */
export async function withPortal<T>(world: DemoWorld, work: (read: ReadInstances) => Promise<T>): Promise<T> {
  const { azure, signal } = world;
  const { clientId, secret, tenantId } = azure.defaultApp;
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const cloud = cloudFromEnvironment(azure.env());
  const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret }, { cloud, dispatcher });
  const sets = `/subscriptions/${azure.subscriptionId}/resourceGroups/${machinesGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`;
  const get = async (path: string) => {
    const { token } = await authorizer.getToken({ audience: cloud.resourceManagerAudience, signal });
    const url = `${azure.endpoints.arm}${sets}/${path}?api-version=${API_VERSION}`;
    const answer = await httpCall(dispatcher, {
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    if (answer.status === 200) return answer.body;
    if (answer.status === 404) return undefined;
    throw new AzimuthError('AZ_TERMINAL', `GET ${path}: ${answer.status} ${answer.text}`);
  };
  try {
    return await work(async (name) => {
      const [set, list] = (await Promise.all([get(name), get(`${name}/virtualMachines`)])) as [
        ScaleSet?,
        InstanceList?,
      ];
      if (!set || !list) return undefined;
      const [group] = set.properties.virtualMachineProfile.osProfile.secrets ?? [];
      return {
        total: list.value.length,
        current: list.value.filter(({ properties }) => properties.latestModelApplied).length,
        certificate: group?.vaultCertificates[0]?.certificateUrl ?? '',
      };
    });
  } finally {
    await dispatcher.close();
  }
}

interface ScaleSet {
  readonly properties: {
    readonly virtualMachineProfile: {
      readonly osProfile: {
        readonly secrets?: readonly { readonly vaultCertificates: readonly { readonly certificateUrl: string }[] }[];
      };
    };
  };
}

interface InstanceList {
  readonly value: readonly { readonly properties: { readonly latestModelApplied: boolean } }[];
}

/** A scale set, and the URL of the certificate that it had. */
export interface FollowedSet extends Pick<Followed, 'type' | 'name'> {
  readonly certificate: string;
}

/** Finds a readable name for the certificate of a URL. */
export type NameOfCertificate = (url: string) => Promise<string>;

/**
 * Follows a scale set until each of its instances has another certificate than before; calls `report` with each new
 * count. Returns the URL of the certificate.
 */
export async function followCertificate(
  { signal }: DemoWorld,
  read: ReadInstances,
  { name, certificate: before }: FollowedSet,
  nameOf: NameOfCertificate,
  report: (text: string) => void,
): Promise<string> {
  let reported = '';
  while (!signal.aborted) {
    const { total, current, certificate } = (await read(name)) ?? absent;
    if (total > 0 && certificate !== before) {
      const text = `${await nameOf(certificate)} on ${current} of ${total} instances`;
      if (text !== reported) report(text);
      reported = text;
      if (current === total) return certificate;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw signal.reason;
}

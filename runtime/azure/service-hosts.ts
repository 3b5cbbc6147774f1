import type { CloudEnvironment } from './types.ts';

/** A type whose resources have hosts with their names, which are unique in a cloud. */
export interface HostedType {
  readonly armType: string;
  /** Of the rules that Azure has for names; lower case. */
  readonly name: RegExp;
}

/** A host of an Azure service in a text. */
export interface ServiceHost {
  readonly host: string;
  readonly type: HostedType;
  /** Of the resource, in lower case; undefined where the host has no form that its service documents. */
  readonly name: string | undefined;
}

const account: HostedType = { armType: 'Microsoft.Storage/storageAccounts', name: /^[a-z0-9]{3,24}$/ };
const vault: HostedType = { armType: 'Microsoft.KeyVault/vaults', name: /^[a-z][a-z0-9-]{1,22}[a-z0-9]$/ };
const managedHsm: HostedType = { armType: 'Microsoft.KeyVault/managedHSMs', name: vault.name };

/** Public cloud, US Government, China, Germany; the last storage domain is that of accounts in zones of their own. */
const storageDomains = [
  'core.windows.net',
  'core.usgovcloudapi.net',
  'core.chinacloudapi.cn',
  'core.cloudapi.de',
  'storage.azure.net',
];
const storageServices = ['blob', 'dfs', 'file', 'queue', 'table', 'web'];
const vaultDomains = ['azure.net', 'usgovcloudapi.net', 'azure.cn', 'microsoftazure.de'];

/** In the domain of a service; a cloud that is described by its endpoints may have a long one. */
const mostLabels = 10;
/** Between the name and the service: zones of endpoints, private links. */
const between = /^(z\d{1,3}|privatelink)$/;

/**
 * Finds the hosts of storage accounts, vaults and managed HSMs in texts. Azure itself reads and writes at such an address
 * with the permissions of whoever writes a resource (facts/compute.md): disks, diagnostics, certificates of machines. Any
 * other service asks who connects for a credential.
 */
export class ServiceHosts {
  readonly #types: ReadonlyMap<string, HostedType>;

  constructor({ keyVaultDnsSuffix, resourceManagerEndpoint }: CloudEnvironment) {
    // Clouds that are described by their endpoints have all services below one domain.
    const cloudDomain = new URL(resourceManagerEndpoint).hostname.replace(/^management\./, '');
    const domains = [...storageDomains, cloudDomain];
    this.#types = new Map<string, HostedType>([
      ...domains.flatMap((domain) => storageServices.map((service) => [`${service}.${domain}`, account] as const)),
      ...vaultDomains.flatMap((domain) => [
        [`vault.${domain}`, vault] as const,
        [`vaultcore.${domain}`, vault] as const,
        [`managedhsm.${domain}`, managedHsm] as const,
      ]),
      [keyVaultDnsSuffix.replace(/:\d+$/, '').toLowerCase(), vault],
    ]);
  }

  /**
   * The hosts in a text, wherever they are in it, in any case and width of letters, and the host of a text that is a URL,
   * from which parsers drop characters. Linear in its length.
   */
  in(text: string): ServiceHost[] {
    return [...this.#within(text), ...this.#within(URL.parse(text)?.hostname ?? '')];
  }

  #within(text: string): ServiceHost[] {
    const plain = text.normalize('NFKC').replaceAll('\u3002', '.').toLowerCase();
    return (plain.match(/[a-z0-9.-]+/g) ?? []).flatMap((host) => this.#service(host) ?? []);
  }

  #service(host: string): ServiceHost | undefined {
    const labels = host.split('.').filter((label) => label !== '');
    for (let at = Math.max(1, labels.length - mostLabels); at < labels.length; at++) {
      const type = this.#types.get(labels.slice(at).join('.'));
      if (!type) continue;
      const [label, ...more] = labels.slice(0, at).filter((each) => !between.test(each));
      // The domain of a service alone, such as the name of a zone of private links, names no resource.
      if (label === undefined) return undefined;
      return { host: labels.join('.'), type, name: more.length === 0 ? nameIn(label, type) : undefined };
    }
    return undefined;
  }
}

/** The name at the beginning of a label: accounts have `<name>-secondary` and other endpoints beside their own. */
function nameIn(label: string, type: HostedType): string | undefined {
  const name = type === account ? label.split('-', 1)[0] : label;
  return name !== undefined && type.name.test(name) ? name : undefined;
}

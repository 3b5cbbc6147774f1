import { types, untilReady, type World } from '../support.ts';

/** A secret as the vault shows it. */
export interface Bundle {
  readonly value: string;
  readonly id: string;
  readonly contentType?: string;
  readonly tags: Record<string, string>;
  readonly attributes: { readonly exp?: number; readonly enabled: boolean };
}

/** A vault of the resource group `rg`, and somebody who may do everything in it. */
export class TestVault {
  readonly name: string;
  readonly #world: World;
  /** Token ids of the requests that this object made itself. */
  readonly #own = new Set<string>();

  private constructor(world: World, name: string) {
    this.#world = world;
    this.name = name;
  }

  static async create(
    world: World,
    name: string,
    options: { readonly role?: string | undefined } = { role: 'Key Vault Secrets Officer' },
  ): Promise<TestVault> {
    const { tenantId } = world.azure;
    await world.apply(types.vault, name, {
      location: 'westeurope',
      owner: { name: 'rg' },
      properties: { tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
    });
    await untilReady(world, types.vault, name);
    return TestVault.existing(world, name, options.role);
  }

  /** A vault that is there; with a role the operator's identity is let in. */
  static existing(world: World, name: string, role: string | undefined): TestVault {
    const vault = new TestVault(world, name);
    if (role !== undefined) vault.allow(role);
    return vault;
  }

  /** Lets the operator's identity in. */
  allow(role = 'Key Vault Secrets Officer'): void {
    const { subscriptionId, defaultApp } = this.#world.azure;
    const scope = `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${this.name}`;
    this.#world.azure.assignRole(defaultApp.objectId, role, scope);
  }

  /** A request of somebody else's. */
  async send(method: string, path: string, body?: unknown) {
    const { portal, azure } = this.#world;
    const token = await portal.token('https://vault.azure.net/.default');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    this.#own.add(claims.uti);
    const url = `https://${this.name}.${azure.endpoints.vaultSuffix}${path}?api-version=7.4`;
    return portal.send(method, url, { token, ...(body === undefined ? {} : { body }) });
  }

  async secret(name: string): Promise<Bundle | undefined> {
    const { status, body } = await this.send('GET', `/secrets/${name}`);
    return status === 200 ? body : undefined;
  }

  async versions(name: string): Promise<Bundle[]> {
    return (await this.send('GET', `/secrets/${name}/versions`)).body.value;
  }

  async names(): Promise<string[]> {
    const { value } = (await this.send('GET', '/secrets')).body as { value: Bundle[] };
    return value.map(({ id }) => id.split('/').at(-1) as string);
  }

  /** The values of a secret that is a JSON object. */
  decoded(bundle: Bundle | undefined): Record<string, string> {
    const object = Object.entries(JSON.parse(bundle?.value ?? '{}') as Record<string, string>);
    return Object.fromEntries(object.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
  }

  /** The operator's authenticated requests about a secret; `method` and `name` are regular expressions. */
  requests(method: string, name: string) {
    const entries = this.#world.azure.journal.entries({ service: 'vault', path: new RegExp(name) });
    return entries.filter(
      (entry) =>
        new RegExp(`^${method}$`).test(entry.method) &&
        entry.tokenId !== undefined &&
        !this.#own.has(entry.tokenId) &&
        entry.host.startsWith(`${this.name}.`),
    );
  }
}

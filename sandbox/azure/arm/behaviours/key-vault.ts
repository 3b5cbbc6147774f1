import { refuse } from '../../exchange.ts';
import { at, objectOf, stringOf } from '../../json.ts';
import type { Behaviour, WriteContext } from '../behaviour.ts';

const day = 86_400_000;

const deletedKey = (name: string) => name.toLowerCase();

/** The state of a new vault's data plane: nothing in it. */
const emptyVault = () => ({ secrets: {}, keys: {}, certificates: {} });

function checkDeleted({ path, request, state, existing }: WriteContext): void {
  if (existing) return;
  const mode = at(request, 'properties.createMode');
  const deleted = state.deletedVaults[deletedKey(path.name)];
  if (mode === 'recover') {
    if (deleted) return;
    throw refuse(404, 'DeletedVaultNotFound', deletedVaultMissing(path.name));
  }
  if (!deleted) return;
  throw deleted.subscriptionId.toLowerCase() === path.subscriptionId?.toLowerCase()
    ? refuse(
        409,
        'ConflictError',
        'A vault with the same name already exists in deleted state. You need to either recover or purge existing key vault. Follow this link https://go.microsoft.com/fwlink/?linkid=2149745 for more information on soft delete.',
      )
    : taken(path.name);
}

/** The message for a deleted vault that does not exist. */
export const deletedVaultMissing = (name: string) =>
  `The specified deleted vault '${name}' does not exist. Ensure that the vault was indeed deleted and that it is in recoverable state. If soft delete was not enabled then the vault is permanently deleted. Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2149745`;

const taken = (name: string) =>
  refuse(
    409,
    'VaultAlreadyExists',
    `The vault name '${name}' is already in use. Vault names are globally unique so it is possible that the name is already taken. If you are sure that the vault name was not taken then it is possible that a vault with the same name was recently deleted but not purged after being placed in a recoverable state.`,
  );

/** Microsoft.KeyVault. */
export const keyVaultBehaviours: readonly Behaviour[] = [
  {
    type: 'Microsoft.KeyVault/vaults',
    apiVersions: [
      '2014-12-19-preview',
      '2015-06-01',
      '2016-10-01',
      '2018-02-14',
      '2018-02-14-preview',
      '2019-09-01',
      '2020-04-01-preview',
      '2021-04-01-preview',
      '2021-06-01-preview',
      '2021-10-01',
      '2021-11-01-preview',
      '2022-02-01-preview',
      '2022-07-01',
      '2022-11-01',
      '2023-02-01',
      '2023-07-01',
      '2024-04-01-preview',
      '2024-11-01',
      '2024-12-01-preview',
      '2025-05-01',
    ],
    create: { status: 200 },
    update: { status: 200 },
    remove: { status: 200 },
    name: {
      pattern: /^[A-Za-z](?!.*--)[A-Za-z0-9-]{1,22}[A-Za-z0-9]$/,
      refuse: (name) =>
        refuse(
          400,
          'VaultNameNotValid',
          `The vault name '${name}' is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin with a letter, end with a letter or digit, and not contain consecutive hyphens. Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2147742`,
        ),
    },
    globallyTaken: (path) => taken(path.name),
    validate(context) {
      const { request, existing } = context;
      const properties = objectOf(request['properties']);
      if (!properties['tenantId']) throw refuse(400, 'BadRequest', 'The parameter tenantId is not specified or empty.');
      if (!at(properties, 'sku.name')) throw refuse(400, 'BadRequest', 'The parameter sku is not specified or empty.');
      const recovering = properties['createMode'] === 'recover';
      const rbac = properties['enableRbacAuthorization'] === true;
      if (!rbac && !recovering && !Array.isArray(properties['accessPolicies']) && !existing) {
        throw refuse(400, 'BadRequest', 'The parameter accessPolicies is not specified.');
      }
      if (
        at(existing?.body, 'properties.enablePurgeProtection') === true &&
        properties['enablePurgeProtection'] === false
      ) {
        throw refuse(
          400,
          'BadRequest',
          'The property "enablePurgeProtection" cannot be set to false. Enabling the purge protection for a vault is an irreversible action.',
        );
      }
      checkDeleted(context);
    },
    defaults: ({ existing }) => ({
      properties: {
        enabledForDeployment: false,
        softDeleteRetentionInDays: 90,
        publicNetworkAccess: 'Enabled',
        accessPolicies: at(existing?.body, 'properties.accessPolicies') ?? [],
      },
    }),
    computed(context) {
      const { path, state, caller, existing, now, system } = context;
      const { name } = path;
      const deleted = state.deletedVaults[deletedKey(name)];
      if (deleted && !existing) delete state.deletedVaults[deletedKey(name)];
      state.vaults[name.toLowerCase()] ??= emptyVault();
      const author = { by: caller.clientId, type: 'Application' };
      system['createdBy'] ??= author.by;
      if (!existing && context.settings.vaultDnsMs > 0) system['dnsReadyAt'] = now + context.settings.vaultDnsMs;
      return {
        systemData: {
          createdBy: system['createdBy'],
          createdByType: author.type,
          createdAt: new Date(existing?.createdAt ?? now).toISOString(),
          lastModifiedBy: author.by,
          lastModifiedByType: author.type,
          lastModifiedAt: new Date(now).toISOString(),
        },
        properties: { enableSoftDelete: true, vaultUri: context.vaultUri(name) },
      };
    },
    view(resource, { now }) {
      const ready = Number(resource.system['dnsReadyAt'] ?? 0);
      const { createMode: _createMode, ...properties } = objectOf(resource.body['properties']);
      const registering = ready > now ? { provisioningState: 'RegisteringDns' } : {};
      return { ...resource.body, properties: { ...properties, ...registering } };
    },
    removed(resource, { state, now }) {
      const days = Number(at(resource.body, 'properties.softDeleteRetentionInDays') ?? 90);
      state.deletedVaults[deletedKey(resource.name)] = {
        subscriptionId: resource.subscriptionId,
        resource: { ...resource, body: resource.body, system: resource.system },
        deletedAt: now,
        purgeAt: now + days * day,
      };
    },
  },
  {
    type: 'Microsoft.KeyVault/vaults/accessPolicies',
    create: { status: 201 },
    update: { status: 200 },
    remove: { status: 405 },
    succeeded: '',
    validate({ path, request, state }) {
      const vault = state.resources.get(path.parentId ?? '');
      const kind = path.name.toLowerCase();
      if (!vault || !['add', 'replace', 'remove'].includes(kind)) {
        throw refuse(400, 'BadRequest', 'The operation must be one of add, replace and remove.');
      }
      const sent = (at(request, 'properties.accessPolicies') ?? []) as { objectId?: string }[];
      const current = (at(vault.body, 'properties.accessPolicies') ?? []) as { objectId?: string }[];
      const named = new Set(sent.map(({ objectId }) => stringOf(objectId).toLowerCase()));
      const others = current.filter(({ objectId }) => !named.has(stringOf(objectId).toLowerCase()));
      const policies = kind === 'replace' ? sent : kind === 'remove' ? others : [...others, ...sent];
      vault.body = { ...vault.body, properties: { ...objectOf(vault.body['properties']), accessPolicies: policies } };
    },
  },
];

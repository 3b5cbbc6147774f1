import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, armKinds } from '../../../runtime/api/kinds.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { tryParseScopeRules } from '../../../runtime/azure/arm/scopes.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { CredentialScopes, ScopeNotAllowed } from '../../../runtime/operator/credentials/scopes.ts';

const model = (name: string) => catalogueModel(armKinds.find(({ kind }) => kind === name) as ArmKindDefinition);
const account = model('StorageAccount');
const federated = model('FederatedIdentityCredential');
const roleAssignment = model('RoleAssignment');
const securityGroup = model('SecurityGroup');
const group = '/subscriptions/s/resourceGroups/a';

const object = (namespace: string, spec: object = {}): KubeObject => ({
  apiVersion: 'x/v1',
  kind: 'X',
  metadata: { namespace, name: 'x' },
  spec,
});

function check(
  rules: string,
  model: typeof account,
  namespace: string,
  resourceId: string,
  spec: object = {},
  ownerId?: string,
) {
  const scopes = new CredentialScopes(tryParseScopeRules(rules) ?? []);
  return () => scopes.check(model, object(namespace, spec), { resourceId, ownerId, inputs: [] });
}

test('with rules, an object and all that it names must lie where its namespace may reach', () => {
  const rules = `team-a=${group}/; *=/subscriptions/s/resourceGroups/net`;
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/x`;
  expect(check(rules, account, 'team-a', id)).not.toThrow();
  expect(check(rules, account, 'team-a', id.toUpperCase().replace('/SUBSCRIPTIONS', '/subscriptions'))).not.toThrow();
  expect(check(rules, account, 'team-b', id)).toThrow(ScopeNotAllowed);
  expect(check(rules, account, 'team-a', id.replace('/a/', '/ab/'))).toThrow(/resourceGroups\/ab.* may not be reached/);
  const named = (armId: string) =>
    check(rules, account, 'team-a', id, { networkAcls: { rules: [{ reference: { armId } }] } });
  expect(named('/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v')).not.toThrow();
  expect(named('/subscriptions/s/resourceGroups/prod/providers/Microsoft.Network/virtualNetworks/v')).toThrow(
    ScopeNotAllowed,
  );
  // To name a role is no power.
  expect(
    named('/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7'),
  ).not.toThrow();
});

test('an id that only ends like that of a role is no role', () => {
  const role = '/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';
  const subscription = '/subscriptions/11111111-2222-3333-4444-555555555555';
  const theirs = `${subscription}/resourceGroups/b/providers/Microsoft.KeyVault/vaults/v`;
  const named = (any: string) => check(`team-a=${group}`, account, 'team-a', group, { any });
  expect(named(`${subscription}/providers/Microsoft.Authorization${role}`)).not.toThrow();
  for (const between of ['?x=', '%3fx=', '#', ' ', '/x', '/', '/../..', '/x/y?'])
    expect(named(`${theirs}${between}${role}`)).toThrow(ScopeNotAllowed);
});

test('no way of writing an ARM id leads out of a scope', () => {
  const rules = `team-a=${group}`;
  for (const tail of ['/../b', '/./../b', '/%2e%2e/b', '/x?/../b', '/x#/../b', '\\..\\b', '//../b', '/x/..']) {
    expect(check(rules, account, 'team-a', `${group}${tail}`)).toThrow(ScopeNotAllowed);
    expect(check(rules, account, 'team-a', group, { any: [{ armId: `${group}${tail}` }] })).toThrow(ScopeNotAllowed);
  }
  expect(check(rules, account, 'team-a', group, { any: '//subscriptions/t' })).toThrow(ScopeNotAllowed);
});

test('an id counts as it is sent, without the blanks and invisible characters around it', () => {
  const mine = '/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/team';
  const named = (any: string) => check(`team-a=${mine}`, account, 'team-a', mine, { any });
  for (const around of [' ', '\n', '\u200b', '\u00ad', '\u2060', '\u0001']) {
    expect(named(`${around}${mine}/providers/x/y/z${around}`)).not.toThrow();
    expect(named(`${around}/providers/Microsoft.Management/managementGroups/victim`)).toThrow(ScopeNotAllowed);
    expect(named(`${around}${mine}(prod)/providers/Microsoft.Network/virtualNetworks/v`)).toThrow(ScopeNotAllowed);
  }
});

test('what a reference or a ConfigMap brings in counts as if it were written in the spec', () => {
  const scopes = new CredentialScopes(tryParseScopeRules(`team-a=${group}`) ?? []);
  const named = (id: unknown) => () =>
    scopes.check(account, object('team-a'), { resourceId: group, ownerId: undefined, inputs: ['text', id] });
  expect(named(`${group}/x`)).not.toThrow();
  expect(named('/subscriptions/s/resourceGroups/b')).toThrow(ScopeNotAllowed);
  expect(named({ id: ['/subscriptions/s/resourceGroups/b'] })).toThrow(ScopeNotAllowed);
});

test('what a Secret brings in counts too, and is not repeated', () => {
  const scopes = new CredentialScopes(tryParseScopeRules(`team-a=${group}`) ?? []);
  const named = (value: unknown) => () =>
    scopes.check(account, object('team-a'), {
      resourceId: group,
      ownerId: undefined,
      inputs: [new SecretValue(value)],
    });
  expect(named('Passw0rd')).not.toThrow();
  expect(named(`${group}/x`)).not.toThrow();
  for (const value of [
    '/subscriptions/s/resourceGroups/b',
    { settings: { identity: '/subscriptions/s/resourceGroups/b' } },
  ]) {
    expect(named(value)).toThrow(ScopeNotAllowed);
    expect(named(value)).toThrow(/An ARM id in a Secret/);
    expect(named(value)).not.toThrow(/resourceGroups\/b/);
  }
});

test('an ARM id counts in the middle of a text, and in JSON within one, however that writes it', () => {
  const guid = '11111111-2222-3333-4444-555555555555';
  const mine = `/subscriptions/${guid}/resourceGroups/a`;
  const theirs = `/subscriptions/${guid}/resourceGroups/b/providers/x/y/z`;
  const named = (text: string) => check(`team-a=${mine}`, account, 'team-a', mine, { body: { properties: { text } } });
  const forms = [
    (id: string) => `workspace('${id}').Heartbeat | take 1`,
    (id: string) => `ResourceId=${id};Mode=x`,
    (id: string) => `see https://portal.azure.com/#resource${id}?x=1`,
    (id: string) => JSON.stringify({ deep: [{ id }] }),
    (id: string) => JSON.stringify({ deep: JSON.stringify({ id }) }),
    (id: string) => JSON.stringify({ id }).replaceAll('/', '\\u002f'),
  ];
  for (const form of forms) {
    expect(named(form(`${mine}/providers/x/y/z`))).not.toThrow();
    expect(named(form(theirs))).toThrow(ScopeNotAllowed);
    expect(named(form(`${mine}/../b`))).toThrow(ScopeNotAllowed);
  }
  expect(named(`x=${encodeURIComponent(theirs)}`)).toThrow(ScopeNotAllowed);
  expect(named('the topic t/subscriptions/mine')).not.toThrow();
});

test('the id of a subscription counts in the middle of a text in each of its spellings', () => {
  const guid = '11111111-2222-3333-4444-55555555aaaa';
  const mine = `/subscriptions/${guid}/resourceGroups/a`;
  const text = (id: string, spelling: (id: string) => string) =>
    check(`team-a=${mine}`, account, 'team-a', mine, { any: `see ${spelling(`${id}/providers/x/y/z`)} for it` });
  for (const spelling of [
    (id: string) => id.replace(guid, guid.replaceAll('-', '')),
    (id: string) => id.replace(guid, `{${guid}}`),
    (id: string) => id.replace(guid, `(${guid.toUpperCase()})`),
    (id: string) => id.replaceAll('/', '%2F'),
    (id: string) => id.replaceAll('/', '%252F'),
    (id: string) => id.replaceAll('/', '%25252f').replaceAll('-', '%2d'),
    (id: string) => id.replace('sub', '%73ub').replace('{', '%7B'),
    (id: string) => id.replaceAll('/', '\\/'),
    (id: string) => id.replaceAll('/', '\\u002F'),
    (id: string) => id.replaceAll('/', '&#x2f;'),
    (id: string) => id.replaceAll('/', '&amp;#47;'),
    (id: string) => id.replaceAll('/', '%5Cu002f'),
  ]) {
    expect(text(mine, spelling)).not.toThrow();
    expect(text(mine.replace('Groups/a', 'Groups/b'), spelling)).toThrow(ScopeNotAllowed);
    expect(text(mine.replace('5555aaaa', '5555bbbb'), spelling)).toThrow(ScopeNotAllowed);
  }
});

test('an ARM id counts wherever it is written: as a key of a map, or with the address of Resource Manager before it', () => {
  const rules = `team-a=${group}`;
  const foreign = '/subscriptions/s/resourceGroups/b/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x';
  const spec = (id: string) => ({ body: { identity: { userAssignedIdentities: { [id]: {} } } } });
  expect(check(rules, account, 'team-a', group, spec(foreign))).toThrow(ScopeNotAllowed);
  expect(check(rules, account, 'team-a', group, spec(foreign.replace('/b/', '/a/')))).not.toThrow();
  for (const before of [' ', '\n', 'https://management.azure.com', 'HTTPS://management.azure.com:443']) {
    expect(check(rules, account, 'team-a', group, { any: `${before}${foreign}` })).toThrow(ScopeNotAllowed);
  }
});

test('a template, which names places in its own ways, needs a namespace that may reach them all', () => {
  const at = (type: string, rules: string) => {
    const scopes = new CredentialScopes(tryParseScopeRules(rules) ?? []);
    const resource = object('team-a', { type: `${type}@2024-03-01` });
    return () => scopes.check(armResourceModel, resource, { resourceId: `${group}/x`, ownerId: group, inputs: [] });
  };
  for (const type of [
    'Microsoft.Resources/deployments',
    'microsoft.resources/DeploymentStacks',
    'Microsoft.Solutions/applications',
    'Microsoft.Blueprint/blueprintAssignments',
  ]) {
    for (const rules of ['', `team-a=${group}`, 'team-b=/']) expect(at(type, rules)).toThrow(/template may reach any/);
    for (const rules of ['team-a=/', '*=/']) expect(at(type, rules)).not.toThrow();
  }
  expect(at('Microsoft.Resources/templateSpecs', `team-a=${group}`)).not.toThrow();
});

test('without rules only objects that grant access under a scope written by hand are refused', () => {
  const owner = { owner: { armId: '/subscriptions/s/resourceGroups/prod' } };
  const id = '/subscriptions/s/resourceGroups/prod/providers/x/y/z';
  expect(check('', account, 'team-a', id, owner)).not.toThrow();
  expect(check('', roleAssignment, 'team-a', id, owner)).toThrow(ScopeNotAllowed);
  expect(check('', federated, 'team-a', id, owner)).toThrow(ScopeNotAllowed);
  const named = { owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'a' } };
  expect(check('', roleAssignment, 'team-a', `${group}/providers/x/y/z`, named, group)).not.toThrow();
  // The ARM id is kept in an annotation, which anybody may write.
  expect(check('', roleAssignment, 'team-a', id, named, group)).toThrow(/resource-id may not lead out of the owner/);
});

test('a refusal names the rule to set, and the setting where there are no rules', () => {
  const prod = '/subscriptions/s/resourceGroups/prod';
  const id = `${prod}/providers/Microsoft.Authorization/roleAssignments/x`;
  const spec = { owner: { armId: prod } };
  const rule = `add the rule team-a=${prod} to --operator-credential-scopes`;
  const other = '--allow-access-grants=true, else ';
  expect(check('', roleAssignment, 'team-a', id, spec, prod)).toThrow(`trust each other set ${other}${rule} beside`);
  expect(check(`team-a=${group}`, roleAssignment, 'team-a', id, spec, prod)).toThrow(`credential: ${rule}, or give`);
  expect(check(`team-a=${group}`, account, 'team-a', `${prod}/providers/x/y/z`)).toThrow(
    `team-a=${prod}/providers/x/y/z`,
  );
  expect(check(`team-a=${group}`, account, 'team-a', group, { any: `${prod}/x` })).toThrow(`team-a=${prod}/x`);
  expect(check('', roleAssignment, 'team-a', '/subscriptions/s/providers/x/y/z')).toThrow('team-a=/subscriptions/s to');
});

test('one setting allows grants of access anywhere while there are no rules', () => {
  const at = (rules: string) => {
    const scopes = new CredentialScopes(tryParseScopeRules(rules) ?? [], { allowAccessGrants: true });
    const prod = '/subscriptions/s/resourceGroups/prod';
    const resourceId = `${prod}/providers/Microsoft.Authorization/roleAssignments/x`;
    const spec = { owner: { armId: prod } };
    return () => scopes.check(roleAssignment, object('team-a', spec), { resourceId, ownerId: prod, inputs: [] });
  };
  expect(at('')).not.toThrow();
  expect(at(`team-a=${group}`)).toThrow(ScopeNotAllowed);
});

test('an owner whose status says where its children lie is no owner to grant access under', () => {
  const named = { owner: { group: 'subscription.azure.com', kind: 'Alias', name: 'a' } };
  const victim = '/subscriptions/victim';
  const id = `${victim}/providers/Microsoft.Authorization/roleAssignments/x`;
  expect(check('', roleAssignment, 'team-a', id, named, victim)).toThrow(/that the status of Alias a names/);
  expect(check(`team-a=${victim}`, roleAssignment, 'team-a', id, named, victim)).not.toThrow();
  expect(check('', model('ResourceGroup'), 'team-a', `${victim}/resourceGroups/x`, named, victim)).not.toThrow();
});

test("without rules no namespace gets a group of the directory by the operator's own credential", () => {
  const id = '/providers/Microsoft.Graph/groups/azimuth-00000000-0000-4000-8000-000000000000';
  const spec = { displayName: 'Admins', mailNickname: 'admins' };
  expect(check('', securityGroup, 'team-a', id, spec)).toThrow(ScopeNotAllowed);
  expect(check('team-a=/subscriptions/s', securityGroup, 'team-a', id, spec)).toThrow(ScopeNotAllowed);
  const rule = 'team-a=/providers/Microsoft.Graph/groups';
  expect(check(rule, securityGroup, 'team-a', id, spec)).not.toThrow();
  expect(check(rule, securityGroup, 'team-b', id, spec)).toThrow(ScopeNotAllowed);
});

test('a type that grants access needs an owner in its namespace, whichever kind makes it', () => {
  const at = (rules: string, type: string, more: object, ownerId?: string) => {
    const scopes = new CredentialScopes(tryParseScopeRules(rules) ?? []);
    const resource = object('team-a', { type: `${type}@2024-03-01`, ...more });
    const resourceId = `${ownerId ?? '/subscriptions/s'}/providers/${type}/x`;
    return () => scopes.check(armResourceModel, resource, { resourceId, ownerId, inputs: [] });
  };
  for (const type of [
    'Microsoft.Authorization/roleAssignments',
    'microsoft.authorization/ROLEDEFINITIONS',
    'Microsoft.Authorization/policyAssignments',
    'Microsoft.Authorization/policyExemptions',
    'Microsoft.Authorization/locks',
    'Microsoft.Authorization/roleEligibilityScheduleRequests',
    'Microsoft.ManagedServices/registrationAssignments',
    'Microsoft.PolicyInsights/remediations',
    'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    'Microsoft.KeyVault/vaults/accessPolicies',
    'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments',
    'Microsoft.DocumentDB/databaseAccounts/mongodbUserDefinitions',
    'Microsoft.Sql/servers/administrators',
    'Microsoft.Synapse/workspaces/sqlAdministrators',
    'Microsoft.Kusto/clusters/principalAssignments',
    'Microsoft.Cache/redis/accessPolicyAssignments',
    'Microsoft.ContainerService/managedClusters/trustedAccessRoleBindings',
    'Microsoft.ServiceBus/namespaces/authorizationRules',
  ]) {
    expect(at('', type, {})).toThrow(/the whole subscription/);
    expect(at('', type, { scope: group }, group)).toThrow(/under an ARM id/);
    expect(at('', type, { owner: { armId: group } }, group)).toThrow(/under an ARM id/);
    expect(at('', type, { owner: { name: 'a' } }, group)).not.toThrow();
    // No owner and no scope is the subscription, which a rule must name.
    expect(at(`team-a=${group}`, type, {})).toThrow(/may not be reached/);
    expect(at('team-a=/subscriptions/s', type, {})).not.toThrow();
  }
  expect(at('', 'Microsoft.Storage/storageAccounts', {})).not.toThrow();
});

test('under the multi-tenant profile a namespace without a rule reaches nothing', () => {
  const id = `${group}/providers/Microsoft.Storage/storageAccounts/x`;
  const reach = { resourceId: id, ownerId: undefined, inputs: [] };
  const without = new CredentialScopes([], { multiTenant: true });
  expect(() => without.check(account, object('team-a'), reach)).toThrow(ScopeNotAllowed);
  expect(() => without.checkReach(object('team-a'), id)).toThrow(ScopeNotAllowed);
  expect(without.bounds(object('team-a'))).toBe(true);
  const own = new CredentialScopes(tryParseScopeRules(`team-a=${group}`) ?? [], { multiTenant: true });
  expect(() => own.check(account, object('team-a'), reach)).not.toThrow();
  expect(() => own.check(account, object('team-b'), reach)).toThrow(ScopeNotAllowed);
});

test('a value of any depth and length is searched for ids', () => {
  const deep = `${'['.repeat(100_000)}"/subscriptions/t"${']'.repeat(100_000)}`;
  expect(check(`team-a=${group}`, account, 'team-a', group, { any: deep })).toThrow(/\/subscriptions\/t may not/);
  const slashes = '/'.repeat(1_000_000);
  expect(check(`team-a=${group}`, account, 'team-a', group, { any: `${slashes}roledefinitions` })).not.toThrow();
  expect(tryParseScopeRules(`a=${slashes}x`)).toBeUndefined();
});

test('a subscription of a topic that is named by a GUID is a part of its id, and very many ids are read at once', () => {
  const guid = '11111111-2222-3333-4444-555555555555';
  const mine = `/subscriptions/${guid}/resourceGroups/a`;
  const named = (any: string) => check(`team-a=${mine}`, account, 'team-a', mine, { any });
  const topic = `${mine}/providers/Microsoft.ServiceBus/namespaces/n/topics/t/subscriptions/${guid.replace('1', '2')}`;
  expect(named(`see ${topic}`)).not.toThrow();
  expect(named(`see ${mine}/${`subscriptions/${guid}`.repeat(20_000)}`)).toThrow(ScopeNotAllowed);
});

test('with rules, what lies outside is not deleted either', () => {
  const scopes = new CredentialScopes(tryParseScopeRules(`team-a=${group}`) ?? []);
  expect(() => scopes.checkReach(object('team-a'), `${group}/x`)).not.toThrow();
  expect(() => scopes.checkReach(object('team-a'), '/subscriptions/s/resourceGroups/b')).toThrow(ScopeNotAllowed);
  expect(() => new CredentialScopes([]).checkReach(object('team-a'), '/any')).not.toThrow();
});

test('rules are a namespace or a star and an ARM id; anything else is refused', () => {
  expect(tryParseScopeRules(' a=/subscriptions/S ; *=/ ;')).toEqual([
    { namespace: 'a', scope: '/subscriptions/s' },
    { namespace: '*', scope: '' },
  ]);
  expect(tryParseScopeRules('\u200ba\u00a0=\u202a/subscriptions/S\u202c\n;')).toEqual([
    { namespace: 'a', scope: '/subscriptions/s' },
  ]);
  for (const text of ['a', '=/x', 'a=x', 'A=/x', 'a=/x/../y', 'a=/x\ny', 'a=/x\u200by', '/x'])
    expect(tryParseScopeRules(text)).toBeUndefined();
});

/** The az command line, unmodified, against `azimuth sandbox` as its file `az.sh` sets it up. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { az, directory, python, withAz } from './az-sandbox.ts';

withAz('az signs in as a service principal and sees the subscription', () => {
  expect(az('az account show')).toMatchObject({ state: 'Enabled', user: { type: 'servicePrincipal' } });
  expect(az('az rest --method get --url "/subscriptions?api-version=2020-01-01"')).toMatchObject({
    value: [{ state: 'Enabled' }],
  });
});

withAz('az finds service principals in the directory, and assigns a role to a name', () => {
  const { name: appId } = (az('az account show') as { user: { name: string } }).user;
  const principal = az(`az ad sp show --id ${appId}`) as { id: string };
  expect(principal).toMatchObject({ appId, servicePrincipalType: 'Application' });
  expect(az(`az ad app show --id ${appId}`)).toMatchObject({ appId });
  az('az group create -n roles -l westeurope');
  const scope = '$(az group show -n roles --query id -o tsv)';
  expect(az(`az role assignment create --assignee ${appId} --role Reader --scope "${scope}"`)).toMatchObject({
    principalId: principal.id,
    principalType: 'ServicePrincipal',
  });
});

withAz('az creates a group, a storage account and an identity, and lists them', () => {
  az('az group create -n one -l westeurope');
  const account = 'az storage account create -g one -n azimuthaz1 -l westeurope --sku Standard_LRS --tags team=blue';
  expect(az(account)).toMatchObject({ provisioningState: 'Succeeded', tags: { team: 'blue' } });
  const before = az('az storage account keys list -g one -n azimuthaz1') as { value: string }[];
  const after = az('az storage account keys renew -g one -n azimuthaz1 --key key1') as { value: string }[];
  expect(after[0]?.value).not.toBe(before[0]?.value);
  expect(after[1]?.value).toBe(before[1]?.value);
  expect(az('az identity create -g one -n someone')).toMatchObject({
    clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const federated =
    'az identity federated-credential create -g one --identity-name someone -n pods --issuer https://issuer.example --subject system:serviceaccount:a:b --audiences api://AzureADTokenExchange';
  expect(az(federated)).toMatchObject({ subject: 'system:serviceaccount:a:b' });
  const types = az('az resource list -g one --query "[].type"') as string[];
  expect(types.sort()).toEqual([
    'Microsoft.ManagedIdentity/userAssignedIdentities',
    'Microsoft.Storage/storageAccounts',
  ]);
});

withAz('az renews a key of a search service and makes a query key', () => {
  az('az group create -n six -l westus2');
  az('az search service create -g six -n azimuthsearch --sku free -l westus2');
  const keys = (verb: string) => az(`az search admin-key ${verb} -g six --service-name azimuthsearch`);
  const before = keys('show') as Record<string, string>;
  expect(keys('renew --key-kind primary')).toMatchObject({ secondaryKey: before['secondaryKey'] });
  expect(keys('show')).not.toMatchObject({ primaryKey: before['primaryKey'] });
  az('az search query-key create -g six --service-name azimuthsearch -n mine');
  expect(az('az search query-key list -g six --service-name azimuthsearch --query "[].name"')).toEqual(['mine']);
});

withAz('az deletes a vault softly and recovers it', () => {
  az('az group create -n two -l westeurope');
  az('az keyvault create -g two -n azimuthaz -l westeurope --enable-rbac-authorization');
  az('az keyvault delete -g two -n azimuthaz');
  expect(az('az keyvault list-deleted --query "[].name"')).toEqual(['azimuthaz']);
  expect(az('az keyvault recover -n azimuthaz --query name')).toBe('azimuthaz');
});

withAz('az lists and shows managed clusters, of which it takes members for granted', () => {
  az('az group create -n three -l westeurope');
  const clusters =
    '/subscriptions/{subscriptionId}/resourceGroups/three/providers/Microsoft.ContainerService/managedClusters';
  const create = (name: string, body: object) =>
    az(`az rest --method put --url '${clusters}/${name}?api-version=2024-09-01' --body '${JSON.stringify(body)}'`);
  const pool = { name: 'system', mode: 'System', count: 1, vmSize: 'Standard_D2s_v5' };
  create('plain', { location: 'westeurope', identity: { type: 'SystemAssigned' }, properties: {} });
  create('full', {
    location: 'westeurope',
    properties: { dnsPrefix: 'full', servicePrincipalProfile: { clientId: 'c' }, agentPoolProfiles: [pool] },
  });
  expect(az('az aks list --query "[].[name, servicePrincipalProfile.clientId]"')).toEqual([
    ['plain', 'msi'],
    ['full', 'c'],
  ]);
  expect(az('az aks show -g three -n full')).toMatchObject({ agentPoolProfiles: [{ name: 'system' }] });
  expect(az('az aks show -g three -n plain')).toMatchObject({
    identity: { type: 'SystemAssigned' },
    servicePrincipalProfile: { clientId: 'msi' },
  });
});

/** Debian's az has no models of the newest version of Compute that it asks for: an older profile has. */
function azCompute(line: string): unknown {
  const config = join(directory, 'az-compute');
  if (!existsSync(config)) {
    execFileSync('cp', ['-r', join(directory, 'az'), config]);
    const own = `export AZURE_CONFIG_DIR=${config}`;
    az(
      `${own}; az vm list >/dev/null 2>&1 || az cloud update -n azimuth-sandbox --profile 2020-09-01-hybrid >/dev/null`,
    );
  }
  return az(`export AZURE_CONFIG_DIR=${config}; ${line}`);
}

withAz('az shows, scales, upgrades, stops and deletes instances of a scale set, and its machines', () => {
  az('az group create -n four -l westus2');
  const compute = '/subscriptions/{subscriptionId}/resourceGroups/four/providers/Microsoft.Compute';
  const put = (path: string, body: object) =>
    az(`az rest --method put --url '${compute}/${path}?api-version=2020-06-01' --body '${JSON.stringify(body)}'`);
  const storageProfile = { osDisk: { osType: 'Linux', createOption: 'FromImage' } };
  const set = (word: string) => ({
    location: 'westus2',
    sku: { name: 'Standard_D2s_v3', capacity: 2 },
    properties: {
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: 'web', customData: Buffer.from(word).toString('base64') },
        storageProfile,
        extensionProfile: { extensions: [{ name: 'more', properties: { publisher: 'a', type: 'b' } }] },
      },
    },
  });
  const hardwareProfile = { vmSize: 'Standard_D2s_v3' };
  put('virtualMachines/vm', { location: 'westus2', properties: { hardwareProfile, storageProfile } });
  put('virtualMachineScaleSets/web', set('a'));
  azCompute('az vmss scale -g four -n web --new-capacity 3');
  expect(azCompute('az vmss list -g four --query "[].[name, sku.capacity]"')).toEqual([['web', 3]]);
  put('virtualMachineScaleSets/web', { ...set('b'), sku: { name: 'Standard_D2s_v3', capacity: 3 } });
  azCompute('az vmss update-instances -g four -n web --instance-ids 0');
  azCompute('az vmss deallocate -g four -n web --instance-ids 1');
  azCompute('az vmss delete-instances -g four -n web --instance-ids 2');
  const listed = 'az vmss list-instances -g four -n web --query "[].[instanceId, latestModelApplied]"';
  expect(azCompute(listed)).toEqual([
    ['0', true],
    ['1', false],
  ]);
  const view = 'az vmss get-instance-view -g four -n web --query virtualMachine.statusesSummary[].code';
  expect(azCompute(view)).toContain('PowerState/deallocated');
  azCompute('az vm deallocate -g four -n vm');
  const power = 'az vm get-instance-view -g four -n vm --query "instanceView.statuses[-1].code"';
  expect(azCompute(power)).toBe('PowerState/deallocated');
  expect(azCompute('az vm list-usage -l westus2 --query "[].name.value"')).toContain('cores');
  expect(() => azCompute('az vmss rolling-upgrade get-latest -g four -n web')).toThrow(/had no rolling upgrade/);
  azCompute('az vmss rolling-upgrade start -g four -n web');
  expect(azCompute('az vmss rolling-upgrade get-latest -g four -n web --query runningStatus.code')).toMatch(
    /^(RollingForward|Completed)$/,
  );
  const command = '--command-id RunShellScript --scripts "uptime" --query "value[].code"';
  azCompute('az vm start -g four -n vm');
  expect(azCompute(`az vm run-command invoke -g four -n vm ${command}`)).toEqual(['ProvisioningState/succeeded']);
});

withAz('az validates, predicts and creates a deployment of a group', () => {
  az('az group create -n five -l westeurope');
  const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const template = {
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: { name: { type: 'string' } },
    resources: [{ type, apiVersion: '2023-01-31', name: "[parameters('name')]", location: 'westeurope' }],
    outputs: { id: { type: 'string', value: `[resourceId('${type}', parameters('name'))]` } },
  };
  const file = join(directory, 'template.json');
  writeFileSync(file, JSON.stringify(template));
  const group = (verb: string, more = '') =>
    az(`az deployment group ${verb} -g five -n first --template-file ${file} -p name=made ${more}`);
  expect(group('validate', '--query properties.provisioningState')).toBe('Succeeded');
  const changes = '--no-pretty-print --query "changes[].changeType"';
  expect(group('what-if', changes)).toEqual(['Create']);
  const id = expect.stringMatching(new RegExp(`/resourceGroups/five/providers/${type}/made$`));
  expect(group('create', '--query properties.outputs.id.value')).toEqual(id);
  expect(group('what-if', changes)).toEqual(['NoChange']);
  expect(az('az identity list -g five --query "[].name"')).toEqual(['made']);
  expect(az('az deployment operation group list -g five -n first --query "[].properties.targetResource.id"')).toEqual(
    expect.arrayContaining([id]),
  );
});

/** A file with a template that makes an identity of the name that is its parameter. */
function identityTemplate(): string {
  const file = join(directory, 'identity.json');
  const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const template = {
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: { name: { type: 'string' } },
    resources: [{ type, apiVersion: '2023-01-31', name: "[parameters('name')]", location: 'westeurope' }],
  };
  writeFileSync(file, JSON.stringify(template));
  return file;
}

withAz('az creates, changes and deletes a deployment stack', () => {
  az('az group create -n seven -l westeurope');
  const file = identityTemplate();
  const create = (name: string) =>
    az(
      `az stack group create -g seven -n both --template-file ${file} -p name=${name} --aou deleteResources --dm none --yes --query "[provisioningState, length(resources), length(deletedResources)]"`,
    );
  expect(create('one')).toEqual(['succeeded', 1, 0]);
  expect(create('two')).toEqual(['succeeded', 1, 1]);
  expect(az('az stack group list -g seven --query "[].name"')).toEqual(['both']);
  expect(az('az stack group show -g seven -n both --query provisioningState')).toBe('succeeded');
  az('az stack group delete -g seven -n both --aou deleteAll --yes');
  expect(az('az identity list -g seven')).toEqual([]);
});

withAz('az deploys a version of a template spec', () => {
  az('az group create -n eight -l westeurope');
  az(`az ts create -g eight -n spec -v 1.0 -l westeurope -f ${identityTemplate()}`);
  expect(az('az ts show -g eight -n spec --query versions')).toEqual(['1.0']);
  const version = '"$(az ts show -g eight -n spec -v 1.0 --query id -o tsv)"';
  const deploy = `az deployment group create -g eight -n of-spec --template-spec ${version} -p name=made`;
  expect(az(`${deploy} --query properties.provisioningState`)).toBe('Succeeded');
  az('az ts delete -g eight -n spec --yes');
  expect(az('az ts list -g eight')).toEqual([]);
});

withAz('az creates a machine of an image, with its network, and shows images and run commands', () => {
  az('az group create -n ten -l westeurope');
  const create = 'az vm create -g ten -n vm -l westeurope --image Ubuntu2204 --admin-username me --generate-ssh-keys';
  // The keys that az makes go into the home directory.
  expect(az(`HOME=${directory} ${create} 2>/dev/null`)).toMatchObject({
    powerState: 'VM running',
    resourceGroup: 'ten',
  });
  const urn = 'Canonical:ubuntu-24_04-lts:server:latest';
  expect(az(`az vm image show -l westeurope --urn ${urn} --query osDiskImage.operatingSystem`)).toBe('Linux');
  expect(az('az vm run-command show -l westeurope --command-id RunShellScript --query id')).toBe('RunShellScript');
});

withAz('az creates a cluster, a scale set whose repairs it suspends, and a database', () => {
  az('az group create -n thirteen -l westeurope');
  const home = `HOME=${directory}`;
  const cluster = 'az aks create -g thirteen -n aks --generate-ssh-keys --node-count 1';
  expect(az(`${home} ${cluster} --query "[provisioningState, agentPoolProfiles[0].count]"`)).toEqual(['Succeeded', 1]);
  const set =
    'az vmss create -g thirteen -n set --image Ubuntu2204 --admin-username me --generate-ssh-keys --instance-count 1';
  az(`${home} ${set} --orchestration-mode Uniform --upgrade-policy-mode Manual -o none`);
  const repairs = '--service-name AutomaticRepairs --action Suspend';
  az(`az vmss set-orchestration-service-state -g thirteen -n set ${repairs}`);
  az('az sql server create -g thirteen -n azimuthsql -l westeurope -u me -p Redacted-1234x');
  const database = 'az sql db create -g thirteen -s azimuthsql -n db --service-objective S0';
  expect(az(`${database} --query "[status, currentServiceObjectiveName]"`)).toEqual(['Online', 'S0']);
});

withAz('az locks a group, tags it, and assigns a policy that denies', () => {
  az('az group create -n fourteen -l westeurope');
  expect(az('az lock create -n keep --lock-type CanNotDelete -g fourteen --query level')).toBe('CanNotDelete');
  az('az lock delete -n keep -g fourteen');
  const id = '"$(az group show -n fourteen --query id -o tsv)"';
  expect(az(`az tag create --resource-id ${id} --tags a=b --query properties.tags`)).toEqual({ a: 'b' });
  const rule = '{"if": {"field": "tags.color", "equals": "red"}, "then": {"effect": "deny"}}';
  az(`az policy definition create -n no-red --mode All --rules '${rule}'`);
  az('az policy assignment create -n no-red --policy no-red -g fourteen');
  expect(() => az('az identity create -g fourteen -n red --tags color=red')).toThrow(/RequestDisallowedByPolicy/);
});

withAz('az lists sizes of machines with their cores', () => {
  const query = '--query "[0].[name, locations[0], capabilities[?name==\'vCPUs\'] | [0].value]"';
  const skus = `az vm list-skus -l westeurope --resource-type virtualMachines --size D4s_v5 ${query}`;
  expect(az(skus)).toEqual(['Standard_D4s_v5', 'westeurope', '4']);
});

withAz('az creates an app of a runtime that it lists', () => {
  az('az group create -n eleven -l westeurope');
  az('az appservice plan create -g eleven -n plan --is-linux --sku B1');
  expect(az('az webapp list-runtimes --os linux --query "[].config"')).toContain('NODE|22-lts');
  const create = 'az webapp create -g eleven -p plan -n azimuthapp --runtime NODE:22-lts';
  expect(az(`${create} --query "[state, siteConfig.linuxFxVersion]"`)).toEqual(['Running', 'NODE|22-lts']);
});

withAz('az writes, lists and removes records of a private zone', () => {
  az('az group create -n twelve -l westeurope');
  const dns = (line: string) => az(`az network private-dns ${line} -g twelve`);
  dns('zone create -n corp.example');
  for (const address of ['10.0.0.4', '10.0.0.5']) dns(`record-set a add-record -z corp.example -n web -a ${address}`);
  dns('record-set a remove-record -z corp.example -n web -a 10.0.0.5');
  const addresses = '--query aRecords[].ipv4Address';
  expect(dns(`record-set a show -z corp.example -n web ${addresses}`)).toEqual(['10.0.0.4']);
  expect(dns('record-set list -z corp.example --query "[].name"')).toEqual(['@', 'web']);
});

withAz('az lists the activity log, and asks the resource graph', () => {
  az('az group create -n nine -l westeurope');
  az('az identity create -g nine -n asked');
  const operations = az('az monitor activity-log list -g nine --query "[].operationName.value"') as string[];
  expect(operations).toContain('Microsoft.ManagedIdentity/userAssignedIdentities/write');
  const query = JSON.stringify({ query: "Resources | where resourceGroup == 'nine' | project name" });
  const body = join(directory, 'query.json');
  writeFileSync(body, query);
  const url = '/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01';
  expect(az(`az rest --method post --url "${url}" --body @${body} --query data`)).toEqual([{ name: 'asked' }]);
});

withAz('az registers a feature', () => {
  const feature = '--namespace Microsoft.Compute -n EncryptionAtHost --query properties.state';
  expect(az(`az feature show ${feature}`)).toBe('NotRegistered');
  expect(['Registering', 'Registered']).toContain(az(`az feature register ${feature}`));
  expect(az('az feature list --query "[].name"')).toContain('Microsoft.Compute/EncryptionAtHost');
});

withAz('az creates, finds, changes and deletes a security group in Microsoft Graph', () => {
  const create = 'az ad group create --display-name "the team" --mail-nickname team --description first';
  const group = az(create) as { id: string; securityEnabled: boolean };
  expect(group).toMatchObject({ securityEnabled: true, description: 'first' });
  // az looks for the name and the nickname first, and returns what it finds.
  expect(az(create)).toMatchObject({ id: group.id });
  expect(az('az ad group show --group "the team" --query id')).toBe(group.id);
  const graph = 'az rest --resource "$(az cloud show --query endpoints.microsoftGraphResourceId -o tsv)"';
  const url = '--url "$(az cloud show --query endpoints.microsoftGraphResourceId -o tsv)/v1.0/groups';
  az(`${graph} --method patch ${url}/${group.id}" --body '{"description": "second"}'`);
  expect(az('az ad group list --query "[].[mailNickname, description]"')).toEqual([['team', 'second']]);
  az(`az ad group delete --group ${group.id}`);
  expect(() => az(`az ad group show --group ${group.id}`)).toThrow(/does not exist or one of its queried/);
});

withAz('the Python SDK that az brings gets a token of a managed identity after azure.env', () => {
  const { url, token } = JSON.parse(readFileSync(join(directory, 'admin.json'), 'utf8')) as Record<string, string>;
  const identity = `curl -sf -X POST -H 'Authorization: Bearer ${token}' -d '{}' ${url}/identities`;
  const { clientId } = az(identity) as { clientId: string };
  const program = `
import json, base64
from azure.identity import ManagedIdentityCredential
token = ManagedIdentityCredential(client_id='${clientId}').get_token('https://vault.azure.net/.default').token
claims = token.split('.')[1]
print(base64.urlsafe_b64decode(claims + '=' * (-len(claims) % 4)).decode())`;
  expect(az(`. ${directory}/azure.env; exec ${python} -c "${program}"`)).toMatchObject({
    aud: 'https://vault.azure.net',
    appid: clientId,
  });
});

withAz('a refusal of Resource Manager is shown by az with its code', () => {
  expect(() => az('az storage account create -g nowhere -n azimuthaz2 -l westeurope --sku Standard_LRS')).toThrow(
    /ResourceGroupNotFound/,
  );
});

withAz('az deletes a group with what is in it', () => {
  az('az group delete -n one --yes');
  expect(az('az group list --query "[].name"')).not.toContain('one');
});

/** When Azure checks the secrets that a machine names: their form in the PUT, their vault in the operation. */
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { Ids } from '../../../../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../../../../sandbox/azure/pki.ts';
import { client } from '../world.ts';
import { data, get, group, machine, machineId, scaleSet, secret, setId, vault, version, write } from './machines.ts';

const id = '0123456789abcdef0123456789abcdef';
const ids = new Ids('seed', { counter: 0 });
const { keyPem, certPem } = await issueCertificate({ commonName: 'web', ids, now: Date.now(), days: 1 });
const chain = [forge.pki.certificateFromPem(certPem)];
const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(keyPem), chain, 'p', { algorithm: '3des' });
const pfx = forge.util.encode64(forge.asn1.toDer(asn1).getBytes());
const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');
const good = json({ data: pfx, dataType: 'pfx', password: 'p' });

const refusals: [string, (vaultId: string) => object, string][] = [
  [
    'a URL without version',
    (vaultId) => ({ secrets: [group(vaultId, 'https://v.vault.azure.net/secrets/c')] }),
    'https://v.vault.azure.net/secrets/c is not a valid versioned Key Vault Secret URL. It should be in the format https://<vaultEndpoint>/secrets/<secretName>/<secretVersion>.',
  ],
  [
    'the URL of a certificate',
    (vaultId) => ({ secrets: [group(vaultId, `https://v.vault.azure.net/certificates/c/${id}`)] }),
    'is not a valid versioned Key Vault Secret URL.',
  ],
  [
    'one vault twice, in another case of letters',
    (vaultId) => ({
      secrets: [vaultId, vaultId.toUpperCase()].map((one) => group(one, `https://v.vault.azure.net/secrets/c/${id}`)),
    }),
    'which is disallowed.',
  ],
  [
    'no VM agent',
    (vaultId) => ({
      linuxConfiguration: { provisionVMAgent: false },
      secrets: [group(vaultId, `https://v.vault.azure.net/secrets/c/${id}`)],
    }),
    'Certificates cannot be added to your VM if the VM agent is not provisioned.',
  ],
];

test.each(refusals)('%s is refused in the PUT of a machine and of a scale set', async (_, osProfileOf, text) => {
  const osProfile = osProfileOf((await vault('refusing')).id) as Record<string, unknown>;
  for (const [target, body] of [
    [machineId(), machine(osProfile)],
    [setId(), scaleSet(1, { osProfile })],
  ] as const) {
    const answer = await client.arm('PUT', target, version, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'InvalidParameter']);
    expect(answer.body.error.message).toContain(text);
    expect((await client.arm('GET', target, version)).status).toBe(404);
  }
});

interface Late {
  readonly name: string;
  readonly vaultProperties?: object;
  readonly location?: string;
  readonly value?: string;
  readonly otherVault?: boolean;
  readonly spoil?: (url: string) => Promise<unknown>;
  readonly code: string;
  readonly text: (url: string, vaultId: string) => string;
}

const forbidden = (url: string, vaultId: string) =>
  `Key Vault ${url} either has not been enabled for deployment or the vault id provided, ${vaultId}, does not match the Key Vault's true resource id.`;
const missing = (url: string) => `The Key Vault secret referenced with the URL ${url} does not exist.`;
const notPfx = (url: string) =>
  `The secret's JSON representation retrieved from ${url} has a data field which is not a properly formatted PFX file, or the password provided does not decode the PFX file correctly.`;

const late: readonly Late[] = [
  {
    name: 'a vault that is not enabled for deployment',
    vaultProperties: { enabledForDeployment: false },
    code: 'KeyVaultAccessForbidden',
    text: forbidden,
  },
  { name: 'a vault that does not own the URL', otherVault: true, code: 'KeyVaultAccessForbidden', text: forbidden },
  {
    name: 'a vault in another region',
    location: 'eastus',
    code: 'KeyVaultAndVMInDifferentRegions',
    text: (url) =>
      `The Key Vault ${url} is located in location eastus, which is different from the location of the VM, westus2. The VM and Key Vault need to be located within the same region.`,
  },
  {
    name: 'a deleted secret',
    spoil: (url) => data('DELETE', url.replace(/\/[^/]+$/, '')),
    code: 'KeyVaultSecretDoesNotExist',
    text: missing,
  },
  {
    name: 'a disabled version',
    spoil: (url) => data('PATCH', url, { attributes: { enabled: false } }),
    code: 'KeyVaultSecretDoesNotExist',
    text: missing,
  },
  {
    name: 'a value that is no JSON',
    value: Buffer.from('hello').toString('base64'),
    code: 'CertificateImproperlyFormatted',
    text: (url) => `The data retrieved from ${url} is not deserializable into JSON.`,
  },
  {
    name: 'a wrong password of the PFX',
    value: json({ data: pfx, dataType: 'pfx', password: 'q' }),
    code: 'CertificateImproperlyFormatted',
    text: notPfx,
  },
  { name: 'a bare certificate', value: json({ data: certPem }), code: 'CertificateImproperlyFormatted', text: notPfx },
];

test.each(late)('$name fails the operation, and the machine exists', async (row) => {
  const { id: vaultId, url } = await vault('late', row.vaultProperties, row.location);
  const named = row.otherVault ? (await vault('other')).id : vaultId;
  const certificateUrl = await secret(url, 'cert', row.value ?? good);
  await row.spoil?.(certificateUrl);
  const osProfile = { secrets: [group(named, certificateUrl)] };
  for (const [target, body] of [
    [machineId(), machine(osProfile)],
    [setId(), scaleSet(2, { osProfile })],
  ] as const) {
    expect(await write('PUT', target, body)).toEqual({ code: row.code, message: row.text(certificateUrl, named) });
    expect((await get(target)).properties.provisioningState).toBe('Failed');
  }
  expect((await get(`${setId()}/virtualMachines`)).value).toEqual([]);
});

test('a PFX in JSON and the secret of a certificate of the vault are installed', async () => {
  const { id: vaultId, url } = await vault('good');
  const policy = { issuer: { name: 'Self' }, x509_props: { subject: 'CN=web' } };
  await data('POST', `${url}certificates/own/create`, { policy });
  await write('PUT', machineId('warm-up'), machine());
  const own = (await data('GET', `${url}certificates/own`)).body.sid;
  const certificates = [await secret(url, 'cert', good), own].map((certificateUrl) => ({ certificateUrl }));
  const secrets = [{ sourceVault: { id: vaultId }, vaultCertificates: certificates }];
  expect(await write('PUT', machineId(), machine({ secrets }))).toBeUndefined();
  expect((await get(machineId())).properties).toMatchObject({ provisioningState: 'Succeeded', osProfile: { secrets } });
});

test('settings of an extension are read from a vault, as a child and in the profile of a set', async () => {
  const open = await vault('open');
  const closed = await vault('closed', { enabledForDeployment: false });
  const access = (secretUrl: string, vaultId: string) => ({
    properties: {
      publisher: 'Microsoft.OSTCExtensions',
      type: 'VMAccessForLinux',
      typeHandlerVersion: '1.5',
      protectedSettingsFromKeyVault: { secretUrl, sourceVault: { id: vaultId } },
    },
  });
  const settings = await secret(open.url, 'login', '{"username":"a"}');
  const hidden = await secret(closed.url, 'login', '{"username":"a"}');
  await write('PUT', machineId(), machine());
  const child = `${machineId()}/extensions/access`;
  const failure = { code: 'KeyVaultAccessForbidden', message: forbidden(hidden, closed.id) };
  expect(await write('PUT', child, { location: 'westus2', ...access(hidden, closed.id) })).toEqual(failure);
  expect(await write('PUT', child, { location: 'westus2', ...access(settings, open.id) })).toBeUndefined();
  expect((await get(child)).properties.protectedSettingsFromKeyVault.secretUrl).toBe(settings);
  const both = access(settings, open.id);
  const refused = await client.arm('PUT', child, version, {
    location: 'westus2',
    properties: { ...both.properties, protectedSettings: { a: 1 } },
  });
  expect(refused.body.error.message).toBe(
    'The extension can contain either protectedSettings or protectedSettingsFromKeyVault or no protected settings at all.',
  );
  const body = scaleSet(1);
  body.properties.virtualMachineProfile.extensionProfile.extensions.push({
    name: 'access',
    ...access(hidden, closed.id),
  } as never);
  expect(await write('PUT', setId(), body)).toEqual(failure);
});

test('a machine reads the vault again when it starts from deallocated, and fails when the secret is gone', async () => {
  const { id: vaultId, url } = await vault('starting');
  const certificateUrl = await secret(url, 'cert', good);
  await write('PUT', machineId(), machine({ secrets: [group(vaultId, certificateUrl)] }));
  await data('DELETE', `${url}secrets/cert`);
  await write('POST', `${machineId()}/powerOff`);
  expect(await write('POST', `${machineId()}/start`)).toBeUndefined();
  await write('POST', `${machineId()}/deallocate`);
  expect(await write('POST', `${machineId()}/start`)).toEqual({
    code: 'KeyVaultSecretDoesNotExist',
    message: missing(certificateUrl),
  });
});

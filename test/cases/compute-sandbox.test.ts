/** The rows of compute.json that the embedded Azure holds: what Azure answers. Each row has one run here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import forge from 'node-forge';
import { Ids } from '../../sandbox/azure/ids.ts';
import { issueCertificate } from '../../sandbox/azure/pki.ts';
import {
  data,
  get,
  group,
  instances,
  machine,
  machineId,
  scaleSet,
  secret,
  setId,
  vault,
  version,
  write,
} from '../sandbox/azure/arm/compute/machines.ts';
import { azure, client, clock } from '../sandbox/azure/arm/world.ts';
import { elsewhere } from './compute-accounted.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows have the members that their name says
type Members = Record<string, any>;
interface Row {
  readonly name: string;
  readonly given: Members;
  readonly expect: Members;
}

const { rows } = JSON.parse(readFileSync(join(import.meta.dirname, 'compute.json'), 'utf8')) as { rows: Row[] };
const names: readonly string[] = elsewhere['embedded Azure'];
const latest = `${setId()}/rollingUpgrades/latest`;
const features = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Features/providers/Microsoft.Compute/features`;
const feature = async (method: string, path: string) => client.arm(method, `${features}/${path}`, '2021-07-01');

/** A PFX in the form of JSON that the row describes, with its own password. */
async function payload(): Promise<string> {
  const ids = new Ids('seed', { counter: 0 });
  const { keyPem, certPem } = await issueCertificate({ commonName: 'web', ids, now: Date.now(), days: 1 });
  const certs = [forge.pki.certificateFromPem(certPem)];
  const key = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey;
  const asn1 = forge.pkcs12.toPkcs12Asn1(key, certs, 'p', { algorithm: '3des' });
  const pfx = forge.util.encode64(forge.asn1.toDer(asn1).getBytes());
  return Buffer.from(JSON.stringify({ data: pfx, dataType: 'pfx', password: 'p' })).toString('base64');
}

/** What becomes of a machine with a certificate whose secret has this value. */
async function install(value: string) {
  const { id, url } = await vault('payload');
  const certificateUrl = await secret(url, 'cert', value);
  const error = await write('PUT', machineId(), machine({ secrets: [group(id, certificateUrl)] }));
  return { error, url };
}

const rolling = (word: string) =>
  scaleSet(10, { mode: 'Rolling', osProfile: { customData: Buffer.from(word).toString('base64') } });

/** Status of creating a certificate with this lifetime action. */
async function created(months: number, trigger: object): Promise<number> {
  const { url } = await vault('actions');
  const policy = {
    issuer: { name: 'Unknown' },
    x509_props: { subject: 'CN=a', validity_months: months },
    lifetime_actions: [{ trigger, action: { action_type: 'EmailContacts' } }],
  };
  return (await data('POST', `${url}certificates/a/create`, { policy })).status;
}

const runs: readonly (readonly [RegExp, (given: Members, expected: Members) => Promise<void>])[] = [
  [
    /^secret version gone at start$/,
    async ({ action }, { code, messageContains }) => {
      const { error, url } = await install(await payload());
      expect(error).toBeUndefined();
      await write('POST', `${machineId()}/deallocate`);
      await data('DELETE', `${url}secrets/cert`);
      const failure = await write('POST', `${machineId()}/${action}`);
      expect(failure?.code).toBe(code);
      for (const part of messageContains) expect(failure?.message).toContain(part);
    },
  ],
  [
    /^payload: json form$/,
    async (_, { installed }) => expect((await install(await payload())).error === undefined).toBe(installed),
  ],
  [
    /^payload: not json$/,
    async (_, { code, messageContains }) => {
      const { error } = await install(Buffer.from('hello').toString('base64'));
      expect(error?.code).toBe(code);
      for (const part of messageContains) expect(error?.message).toContain(part);
    },
  ],
  [
    /^update in mid-roll$/,
    async (_, { code, message }) => {
      await write('PUT', setId(), rolling('a'));
      await write('PUT', setId(), rolling('b'));
      const { body } = await client.arm('PATCH', setId(), version, { tags: { a: 'b' } });
      expect(body.error).toMatchObject({ code, message });
    },
  ],
  [
    /^manual mode after model change$/,
    async ({ mode, instances: count }, { provisioningState, latestModelApplied }) => {
      const { id, url } = await vault('models');
      await write('PUT', setId(), scaleSet(count, { mode }));
      const secrets = [group(id, await secret(url, 'cert', await payload()))];
      await write('PUT', setId(), scaleSet(count, { mode, osProfile: { secrets } }));
      expect((await get(setId())).properties.provisioningState).toBe(provisioningState);
      expect((await instances()).map(([, latestApplied]) => latestApplied)).toEqual(latestModelApplied);
    },
  ],
  [
    /^cancelled upgrade, empty PATCH$/,
    async (given, { runningStatus }) => {
      const status = async () => (await get(latest)).properties.runningStatus.code;
      azure.settings.rollingBatchMs = 1500;
      await write('PUT', setId(), rolling('a'));
      await write('PUT', setId(), rolling('b'));
      await write('POST', `${setId()}/rollingUpgrades/cancel`);
      await clock.advance(1500);
      expect(await status()).toBe(given['runningStatus']);
      await write('PATCH', setId(), {});
      expect(await status()).toBe(runningStatus);
    },
  ],
  [
    /^feature register answer$/,
    async ({ approval }, expected) => {
      azure.settings.features = { 'Microsoft.Compute/F': approval };
      const { status, body } = await feature('POST', 'F/register');
      expect({ status, 'properties.state': body.properties.state }).toEqual(expected);
    },
  ],
  [
    /^feature api unregister$/,
    async (_, { endState }) => {
      azure.settings.features = { 'Microsoft.Compute/F': 'AutoApproval' };
      for (const action of ['register', 'unregister']) {
        await feature('POST', `F/${action}`);
        await clock.advance(1000);
      }
      expect((await feature('GET', 'F')).body.properties.state).toBe(endState);
    },
  ],
  [
    /^feature unknown$/,
    async (_, { status, message }) => {
      const answer = await feature('GET', 'X');
      expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    },
  ],
  [
    /^secret (after exp|disabled)$/,
    async ({ attributes }, { status, innererror }) => {
      const { url } = await vault('attributes');
      const past = Math.floor(clock.now() / 1000) - 60;
      const wanted = { ...attributes, ...(attributes.exp && { exp: past }) };
      const id = (await data('PUT', `${url}secrets/a`, { value: 'v', attributes: wanted })).body.id;
      const answer = await data('GET', id);
      expect(answer.status).toBe(status);
      expect(answer.body.error?.innererror.code).toBe(innererror);
    },
  ],
  [
    /^value 25 KB$/,
    async ({ valueBytes }, { accepted }) => {
      const { url } = await vault('sizes');
      const status = async (bytes: number) =>
        (await data('PUT', `${url}secrets/a`, { value: 'x'.repeat(bytes) })).status;
      expect([(await status(valueBytes)) === 200, await status(valueBytes + 1)]).toEqual([accepted, 400]);
    },
  ],
  [
    /^15 tags$/,
    async ({ tags: count }, { accepted }) => {
      const { url } = await vault('tags');
      const status = async (number: number) => {
        const tags = Object.fromEntries(Array.from({ length: number }, (_, index) => [`t${index}`, 'x']));
        return (await data('PUT', `${url}secrets/a`, { value: 'v', tags })).status;
      };
      expect([(await status(count)) === 200, await status(count + 1)]).toEqual([accepted, 400]);
    },
  ],
  [
    /^restore in another geography$/,
    async ({ backupFrom, restoreTo }, { accepted }) => {
      const [from, near, to] = [
        await vault('backup-from', {}, backupFrom),
        await vault('near', {}, 'westus'),
        await vault('restore-to', {}, restoreTo),
      ];
      await secret(from.url, 'a', 'v');
      const { value } = (await data('POST', `${from.url}secrets/a/backup`)).body;
      const restored = async (url: string) => (await data('POST', `${url}secrets/restore`, { value })).status === 200;
      expect([await restored(near.url), await restored(to.url)]).toEqual([true, accepted]);
    },
  ],
  [
    /^create while pending$/,
    async (_, { status, message }) => {
      const { url } = await vault('pending');
      const create = () => data('POST', `${url}certificates/a/create`, { policy: { issuer: { name: 'Unknown' } } });
      await create();
      const again = await create();
      expect([again.status, again.body.error.message]).toEqual([status, message]);
    },
  ],
  [
    /^cancel a completed one$/,
    async (_, { status }) => {
      const { url } = await vault('completed');
      await data('POST', `${url}certificates/a/create`, { policy: { issuer: { name: 'Self' } } });
      await clock.advance(1000);
      const answer = await data('PATCH', `${url}certificates/a/pending`, { cancellation_requested: true });
      expect(answer.status).toBe(status);
    },
  ],
  [
    /^days_before_expiry /,
    async ({ validity_months: months, days_before_expiry: days }, { accepted }) =>
      expect((await created(months, { days_before_expiry: days })) === 202).toBe(accepted),
  ],
  [
    /^lifetime_percentage /,
    async ({ lifetime_percentage: percentage }, { accepted }) =>
      expect((await created(12, { lifetime_percentage: percentage })) === 202).toBe(accepted),
  ],
];

test.each(names)('%s', async (name) => {
  const row = rows.find((each) => each.name === name);
  const matching = runs.filter(([pattern]) => pattern.test(name));
  expect([row?.name, matching.length]).toEqual([name, 1]);
  if (row) await matching[0]?.[1](row.given, row.expect);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, simple, startNmi } from '../nmi/harness.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

/** The driver and the node daemon as they are, with tokens that the vault checks. */
let bench: VolumeBench;
let daemon: Harness;

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: [{ name: 'one', value: 'first' }] });
  daemon = await startNmi({
    imds: async ({ url }) => {
      const resource = new URL(url, 'http://imds').searchParams.get('resource') ?? '';
      const access_token = await bench.client.token(`${resource}/.default`);
      const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
      return { body: { access_token, expires_in: '3600', expires_on, resource, token_type: 'Bearer' } };
    },
  });
  await simple(daemon);
}, 60_000);
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const options = (pod: string) =>
  bench.options({
    keyvaultobjectnames: 'one',
    keyvaultobjecttypes: 'secret',
    usepodidentity: 'true',
    nmiport: String(daemon.port),
    'kubernetes.io/pod.namespace': 'app',
    'kubernetes.io/pod.name': pod,
    'kubernetes.io/secret/clientid': undefined,
    'kubernetes.io/secret/clientsecret': undefined,
  });

(canMount ? describe : describe.skip)('through the node daemon', () => {
  test("a pod's volume is read as the pod's identity", async () => {
    bench.settings({ hostTokenFile: daemon.hostTokenFile });
    const directory = bench.volume('pod');
    expect(await bench.kv('mount', directory, options('p'))).toMatchObject({
      code: 0,
      stdout: '{"status":"Success"}\n',
    });
    expect(filesOf(directory)).toEqual({ one: 'first' });
  });

  test('without the proof of being root on the node there is no token', async () => {
    bench.settings({ hostTokenFile: '/nowhere/host-token' });
    const call = await bench.kv('mount', bench.volume('proof'), options('p'));
    expect(call).toMatchObject({ code: 1, stderr: '', document: { status: 'Failure' } });
    expect(call.document.message).toMatch(/gave no token for the identity of the pod app\/p: 40[13] /);
  });

  test('a pod that does not exist has no identity', async () => {
    bench.settings({ hostTokenFile: daemon.hostTokenFile, deadlineSeconds: 3 });
    const call = await bench.kv('mount', bench.volume('stranger'), options('stranger'));
    expect(call).toMatchObject({ code: 1, stderr: '' });
    expect(call.document.message).toMatch(
      /node daemon .*(did not answer: .*within 3 s|identity of the pod app\/stranger: 404 )/,
    );
  }, 60_000);
});

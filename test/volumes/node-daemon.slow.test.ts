import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { binding, bindingsType, type Harness, podsType, simple, startNmi } from '../nmi/harness.ts';
import { type AgentHarness, startAgent } from './agent/harness.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from './support.ts';

/** The driver, the node agent and the node daemon as they are, with tokens that the vault checks. */
let bench: VolumeBench;
let daemon: Harness;
let agent: AgentHarness;
let uid: string;

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
  agent = await startAgent(bench, { kube: daemon.kube, args: [`--nmi-socket=${nmiSocket()}`] });
  uid = daemon.kube.all(podsType)[0]?.metadata.uid ?? '';
});
beforeEach(() => bench.settings({ agentSocket: agent.socket }));
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

/** Where the daemon serves root. */
const nmiSocket = () => join(dirname(daemon.hostTokenFile), 'nmi.sock');

const options = (pod: string) =>
  bench.options({
    keyvaultobjectnames: 'one',
    keyvaultobjecttypes: 'secret',
    usepodidentity: 'true',
    'kubernetes.io/pod.uid': uid,
    'kubernetes.io/pod.namespace': 'app',
    'kubernetes.io/pod.name': pod,
    'kubernetes.io/secret/clientid': undefined,
    'kubernetes.io/secret/clientsecret': undefined,
  });

(canMount ? describe : describe.skip)('through the node daemon', () => {
  test("a pod's volume is read as the pod's identity", async () => {
    const directory = bench.volume('pod', uid);
    expect(await bench.kv('mount', directory, options('p'))).toMatchObject({
      code: 0,
      stdout: '{"status":"Success"}\n',
    });
    expect(filesOf(directory)).toEqual({ one: 'first' });
  });

  test('the binding that gives the identity limits the volume, as soon as it says so', async () => {
    await daemon.kube.put(bindingsType, binding('b', { volumes: { objects: ['key/*'] } }));
    const refused = async () => {
      const { document } = await bench.kv('mount', bench.volume('limited', uid), options('p'));
      return /AzureIdentityBinding app\/b does not admit the volume: the secret "one" is not among key\/\*/.test(
        document.message ?? '',
      );
    };
    await eventually('the binding is heard', refused);
    await daemon.kube.put(bindingsType, binding('b'));
    const mounted = async () =>
      (await bench.kv('mount', bench.volume('admitted', uid), options('p'))).document.status === 'Success';
    await eventually('the binding is heard', mounted);
  });

  test('a socket that others than root may write is not asked: another program could have made it', async () => {
    chmodSync(nmiSocket(), 0o666);
    try {
      const call = await bench.kv('mount', bench.volume('squatted', uid), options('p'));
      expect(call.document.message).toMatch(/AZ_AUTH_UNREACHABLE: .*others than root may write .*nmi\.sock/);
    } finally {
      chmodSync(nmiSocket(), 0o600);
    }
  });
});

import { expect, test } from '@jest/globals';
import { fuzz } from './fuzzer.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  identitiesType,
  identity,
  pod,
  podsType,
  startNmi,
} from './harness.ts';

/** More requests, or others: `AZIMUTH_FUZZ_REQUESTS=100000 AZIMUTH_FUZZ_SEED=7 npm test -- test/nmi/fuzz.slow.test.ts`. */
const requests = Number(process.env['AZIMUTH_FUZZ_REQUESTS'] ?? 8000);
const seed = Number(process.env['AZIMUTH_FUZZ_SEED'] ?? 1);

test('mutated requests crash nothing, hang nothing, and never bring the token of another pod or of the machine', async () => {
  const args = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];
  await using nmi = await startNmi({ args });
  for (const [name, ip] of [
    ['a', '127.0.0.5'],
    ['b', '127.0.0.6'],
  ] as const) {
    const made = pod({ name, ip, label: name });
    await nmi.kube.put(identitiesType, identity(name));
    await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
    await nmi.kube.put(assignedType, assigned(made, identity(name)));
    await nmi.kube.put(podsType, made);
  }
  const callers = { '127.0.0.5': 'client-a', '127.0.0.6': 'client-b', '127.0.0.7': 'nobody' };
  const result = await fuzz({ port: nmi.port, callers }, requests, seed);
  expect(result.wrong).toEqual([]);
  expect(result.tokens).toBeGreaterThan(100);
  expect(result.statuses['500'] ?? 0).toBeLessThan(result.answers);
  // What reached the machine's endpoint: token requests of the daemon's own, for known identities, and nothing like one.
  const own = /^\/metadata\/identity\/oauth2\/token\?api-version=2018-02-01&resource=[^&]+&client_id=client-[ab]$/;
  const odd = nmi.imds.requests.filter(({ url }) => /oauth2.*token/i.test(url.split('?')[0] ?? '') && !own.test(url));
  expect(odd.map(({ url }) => url)).toEqual([]);
  expect(nmi.log.filter(({ error, detail }) => /internal error/.test(`${error} ${detail}`))).toEqual([]);
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
});

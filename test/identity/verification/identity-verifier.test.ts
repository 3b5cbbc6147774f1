import { expect, test } from '@jest/globals';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import type { ArmClient, ArmRequest, Authorizer } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { Identity } from '../../../runtime/identity/objects.ts';
import { IdentityVerifier } from '../../../runtime/identity/verification/identity-verifier.ts';
import { runtimeOf } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const idOf = (name: string) =>
  `/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/g/providers/microsoft.managedidentity/userassignedidentities/${name}`;

/** A verifier, the reads that it sent to Azure, and what Azure has. */
function start(answer: (request: ArmRequest) => Promise<void> = async () => {}) {
  const clock = new ManualClock();
  const clientIds = new Map<string, string>();
  const reads: { readonly name: string; readonly share: string; readonly at: number }[] = [];
  const send = async (request: ArmRequest) => {
    const name = request.path.split('/').at(-1) ?? '';
    reads.push({ name, share: request.share ?? '', at: clock.monotonic() });
    await answer(request);
    return { body: { id: request.path, properties: { clientId: clientIds.get(name) } } };
  };
  const stop = new AbortController();
  const verifier = new IdentityVerifier({
    runtime: runtimeOf(new LocalKube(), clock),
    arm: { send } as unknown as ArmClient,
    authorizer: {} as Authorizer,
    policy: { multiTenant: false, scopes: undefined },
    changed: () => {},
    clientIdRead: () => {},
  });
  const done = verifier.run(stop.signal);
  const identity = (name: string, clientID: string, namespace = 'app') =>
    ({ metadata: { namespace, name }, spec: { type: 0, resourceID: idOf(name), clientID } }) as unknown as Identity;
  /** Advances the clock in steps of a second, and lets reads end between them. */
  const pass = async (seconds: number, each = () => {}) => {
    for (let second = 0; second < seconds; second++) {
      each();
      await clock.advance(1000);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  };
  const end = async () => {
    stop.abort();
    await done;
  };
  return { clock, clientIds, reads, verifier, identity, pass, end };
}

test('an identity that is recreated under its name is verified within seconds', async () => {
  const { clientIds, verifier, identity, pass, end } = start();
  clientIds.set('own', 'old');
  const of = (clientID: string) => verifier.of(identity('own', clientID)).state;
  of('old');
  await pass(1);
  expect(of('old')).toBe('verified');
  // Hours later.
  await pass(7200);
  clientIds.set('own', 'new');
  expect(of('new')).toBe('refused');
  await pass(6);
  expect(of('new')).toBe('verified');
  await end();
});

test('a client id stays wrong for an hour: the identity is read ever more rarely, and an edit makes it no faster', async () => {
  const { clientIds, reads, verifier, identity, pass, end } = start();
  clientIds.set('own', 'right');
  let turn = 0;
  verifier.of(identity('own', 'right'));
  await pass(3600, () => verifier.of(identity('own', turn++ % 2 === 0 ? 'wrong' : 'right')));
  const early = reads.filter(({ at }) => at < 300_000).length;
  expect(early).toBeGreaterThanOrEqual(6);
  expect(early).toBeLessThanOrEqual(10);
  expect(reads.filter(({ at }) => at >= 600_000).length).toBeLessThanOrEqual(15);
  await end();
});

test('the wrong client id is read again also where no AzureIdentity changes', async () => {
  const { clientIds, verifier, identity, pass, end } = start();
  clientIds.set('own', 'old');
  verifier.of(identity('own', 'new'));
  await pass(1);
  expect(verifier.of(identity('own', 'new')).state).toBe('refused');
  await pass(400);
  clientIds.set('own', 'new');
  await pass(400);
  expect(verifier.of(identity('own', 'new')).state).toBe('verified');
  await end();
});

test('the wrong client id is read again also after a read that Azure refused', async () => {
  let refused = 0;
  const { clientIds, verifier, identity, pass, end } = start(async () => {
    if (refused-- > 0) throw new Error('no answer');
  });
  clientIds.set('own', 'old');
  verifier.of(identity('own', 'new'));
  await pass(1);
  expect(verifier.of(identity('own', 'new')).state).toBe('refused');
  refused = 1;
  await pass(60, () => verifier.of(identity('own', 'new')));
  expect(refused).toBeLessThanOrEqual(0);
  clientIds.set('own', 'new');
  await pass(600, () => verifier.of(identity('own', 'new')));
  expect(verifier.of(identity('own', 'new')).state).toBe('verified');
  await end();
});

test('an identity whose client id differs on a machine is read again within seconds, without spec.clientID too', async () => {
  const { clientIds, reads, verifier, identity, pass, end } = start();
  clientIds.set('own', 'old');
  const of = () => verifier.of(identity('own', ''));
  of();
  await pass(1);
  verifier.shown(idOf('own'), 'old');
  await pass(3600);
  expect(reads).toHaveLength(1);
  clientIds.set('own', 'new');
  verifier.shown(idOf('own'), undefined);
  await pass(6);
  expect(of()).toEqual({ state: 'verified', clientId: 'new' });
  // A machine that shows no client id for hours has the identity read ever more rarely.
  await pass(7200, () => verifier.shown(idOf('own'), undefined));
  expect(reads.length).toBeLessThan(45);
  verifier.forget('app/own');
  const before = reads.length;
  await pass(3600, () => verifier.shown(idOf('own'), undefined));
  expect(reads.length).toBe(before);
  await end();
});

test('machines that show no client id of the identities of one namespace cause one read a second', async () => {
  const { clientIds, reads, verifier, identity, pass, end } = start();
  const names = Array.from({ length: 200 }, (_, index) => `id${index}`);
  for (const name of names) clientIds.set(name, 'right');
  for (const name of names) verifier.of(identity(name, ''));
  await pass(20);
  const first = reads.length;
  await pass(600, () => {
    for (const name of names) verifier.shown(idOf(name), undefined);
  });
  expect(first).toBe(200);
  expect(reads.length - first).toBeLessThanOrEqual(620);
  await end();
});

test('a namespace with many wrong client ids gets one read a second because of them', async () => {
  const { clientIds, reads, verifier, identity, pass, end } = start();
  const names = Array.from({ length: 200 }, (_, index) => `id${index}`);
  for (const name of names) clientIds.set(name, 'right');
  for (const name of names) verifier.of(identity(name, 'wrong'));
  await pass(20);
  const first = reads.length;
  for (const name of names) verifier.of(identity(name, 'wrong'));
  await pass(600);
  expect(first).toBe(200);
  expect(reads.length - first).toBeLessThanOrEqual(620);
  await end();
});

test('reads of one namespace that wait for Azure leave workers to the others', async () => {
  const { clientIds, reads, verifier, identity, pass, end } = start(({ share }) =>
    share === 'slow' ? new Promise(() => {}) : Promise.resolve(),
  );
  for (let index = 0; index < 20; index++) verifier.of(identity(`slow${index}`, '', 'slow'));
  await pass(1);
  clientIds.set('own', 'right');
  verifier.of(identity('own', '', 'app'));
  await pass(1);
  expect(verifier.of(identity('own', '', 'app')).state).toBe('verified');
  expect(reads.filter(({ share }) => share === 'slow').length).toBeLessThan(8);
  void end();
});

test.each([
  ['SubscriptionNotFound', 'IdentityNotVerified', 'verified'],
  ['ResourceNotFound', 'ResourceNotFound', 'pending'],
])('after a 404 with %s a new identity has the reason %s, and one that was read is %s', async (code, reason, later) => {
  let missing = true;
  const info = { status: 404, code, message: '', details: [], retryClass: 'slow' } as never;
  const { clientIds, verifier, identity, pass, end } = start(async ({ path }) => {
    if (missing) throw new ArmError('GET', path, info);
  });
  clientIds.set('own', 'id');
  const of = () => verifier.of(identity('own', ''));
  of();
  await pass(1);
  expect(of()).toMatchObject({ state: 'pending', problem: { reason } });
  missing = false;
  await pass(700);
  expect(of().state).toBe('verified');
  missing = true;
  // A machine shows another client id, so that the identity is read again.
  verifier.shown(idOf('own'), 'other');
  await pass(10);
  expect(of().state).toBe(later);
  await end();
});

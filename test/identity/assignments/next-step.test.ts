import { describe, expect, test } from '@jest/globals';
import { assignedFinalizer, assignedObject } from '../../../runtime/identity/assignments/assigned-object.ts';
import type { Desired } from '../../../runtime/identity/assignments/desired.ts';
import { nextStep } from '../../../runtime/identity/assignments/next-step.ts';
import { attachmentReference } from '../../../runtime/identity/attachments/attachment-reference.ts';
import type { Assigned, AssignedState } from '../../../runtime/identity/objects.ts';

const compute = '/subscriptions/s/resourceGroups/nodes/providers/Microsoft.Compute';
const vm = (name: string) => `${compute}/virtualMachines/${name}`;
const id = (name: string) =>
  `/subscriptions/s/resourceGroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

interface Wanted {
  readonly identity?: string;
  readonly node?: string;
  /** Undefined: the node is not known. */
  readonly machine?: string | undefined;
  readonly type?: number;
  readonly verified?: boolean;
  readonly windows?: Desired['windows'];
  /** Identity that the pod was given before. */
  readonly replaces?: string;
}

/** What the pod `web` shall have: identity `a` by the machine `m1` unless said otherwise. */
function want({ identity: name = 'a', node = 'n1', type = 0, verified = true, ...rest }: Wanted = {}): Desired {
  const machineName = 'machine' in rest ? rest.machine : 'm1';
  const machine = machineName === undefined ? undefined : ({ id: vm(machineName), kind: 'vm' } as const);
  const attachable = type === 0;
  return {
    key: 'default/web-app-id',
    pod: { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'app', name: 'web' } },
    binding: { apiVersion: '', kind: '', metadata: { namespace: 'default', name: 'b' }, spec: { selector: 's' } },
    identity: {
      apiVersion: '',
      kind: '',
      metadata: { namespace: 'default', name: 'id' },
      spec: { type, ...(attachable && { resourceID: id(name) }), clientID: name },
    },
    node,
    machine: attachable ? machine : undefined,
    reference: attachable && machine ? attachmentReference(machine.id, id(name)) : undefined,
    region: '',
    attachable,
    verification: verified ? { state: 'verified', clientId: name } : { state: 'pending', problem: undefined },
    windows: rest.windows ?? 'attach',
    replaces: rest.replaces === undefined ? undefined : attachmentReference(vm('m1'), id(rest.replaces)),
  };
}

const stored = (state: AssignedState, desired = want()) => assignedObject(desired, state);

/** A step in words: what is written and the state it leaves. `attached` as `identity@machine`. */
function stepOf(
  current: Assigned | undefined,
  desired: Desired | undefined,
  attached: string[] = [],
  isComplete = true,
): string {
  const step = nextStep(current, desired, {
    isComplete: () => isComplete,
    attachment: ({ machine, identity }) =>
      attached.includes(`${identity.split('/').at(-1)}@${machine.split('/').at(-1)}`) ? 'attached' : 'unknown',
  });
  if (step.kind === 'none' || step.kind === 'wait' || step.kind === 'finish') return step.kind;
  const body = (step.kind === 'patch' ? step.body : step.object) as Assigned;
  const { annotations = {}, finalizers } = body.metadata ?? {};
  const parts = [
    ...(body.status?.status === undefined ? [] : [body.status.status]),
    ...(body.spec?.nodename ? [`on ${body.spec.nodename}`] : []),
    ...(step.kind === 'patch' && finalizers?.includes(assignedFinalizer) ? ['finalizer'] : []),
    ...(step.kind === 'patch' ? Object.entries(annotations).map(([name, value]) => `${name}=${value}`) : []),
  ];
  return `${step.kind}: ${parts.join(', ')}`;
}

describe('an assignment that a pod shall have', () => {
  test.each<[string, Assigned | undefined, Desired, string[], string]>([
    ['is created before anything is attached', undefined, want(), [], 'create: Created, on n1'],
    ['is created Assigned where its identity is attached', undefined, want(), ['a@m1'], 'create: Assigned, on n1'],
    ['is created Assigned where nothing is attached', undefined, want({ type: 1 }), [], 'create: Assigned, on n1'],
    ['is created on an unknown node', undefined, want({ machine: undefined }), [], 'create: Created, on n1'],
    ['is in sync', stored('Assigned'), want(), ['a@m1'], 'none'],
    ['stays Assigned while the identity is attached again', stored('Assigned'), want(), [], 'none'],
    ['waits for its machine', stored('Created'), want(), [], 'wait'],
    ['becomes Assigned', stored('Created'), want(), ['a@m1'], 'patch: Assigned'],
    ['begins anew from Unassigned', stored('Unassigned'), want(), [], 'patch: Created'],
    ['serves on as an old release left it', stored(''), want(), [], 'wait'],
    ['becomes Assigned from that', stored(''), want(), ['a@m1'], 'patch: Assigned'],
    [
      'waits until Azure has returned the client id, though the identity is attached',
      undefined,
      want({ verified: false }),
      ['a@m1'],
      'create: Created, on n1',
    ],
    [
      'gets the client id once Azure has returned it',
      stored('Created', want({ verified: false })),
      want(),
      ['a@m1'],
      'patch: Assigned, azimuth.dev/client-id=a',
    ],
    [
      'is Assigned outside its windows, so that the daemon refuses at once',
      undefined,
      want({ windows: 'keep' }),
      [],
      'create: Assigned, on n1',
    ],
    [
      'waits until its windows are computed, though the identity is attached',
      undefined,
      want({ windows: 'unknown' }),
      ['a@m1'],
      'create: Created, on n1',
    ],
    ['is Assigned after its last window', undefined, want({ windows: 'none' }), [], 'create: Assigned, on n1'],
  ])('%s', (_, current, desired, attached, expected) => {
    expect(stepOf(current, desired, attached)).toBe(expected);
  });

  test('gets back a finalizer that somebody removed', () => {
    const current = stored('Assigned');
    const { finalizers: _, ...metadata } = current.metadata;
    expect(stepOf({ ...current, metadata }, want(), ['a@m1'])).toBe('patch: finalizer');
  });

  test('loses the annotations of earlier versions', () => {
    const current = stored('Assigned');
    const annotations = { ...current.metadata.annotations, 'azimuth.dev/claims': '[]', 'azimuth.dev/machine': '/m' };
    const metadata = { ...current.metadata, annotations };
    expect(stepOf({ ...current, metadata }, want(), ['a@m1'])).toBe(
      'patch: azimuth.dev/machine=null, azimuth.dev/claims=null',
    );
  });
});

describe('another identity', () => {
  const b = want({ identity: 'b', replaces: 'a' });
  test.each<[string, Assigned, Desired, string[], string]>([
    ['is waited for while the old one serves', stored('Assigned'), b, ['a@m1'], 'wait'],
    ['takes over once it is attached', stored('Assigned'), b, ['a@m1', 'b@m1'], 'replace: Assigned, on n1'],
    ['takes over at once where the old one never served', stored('Created'), b, [], 'replace: Created, on n1'],
    ['without a machine takes over at once', stored('Assigned'), want({ type: 1 }), [], 'replace: Assigned, on n1'],
    [
      'that the object names, and the pod never had, is not kept',
      stored('Assigned', want({ identity: 'foreign' })),
      b,
      ['foreign@m1'],
      'replace: Created, on n1',
    ],
    [
      'with another client id only stays Assigned',
      stored('Assigned', want({ verified: false })),
      { ...want(), binding: { ...want().binding, metadata: { namespace: 'default', name: 'other' } } },
      [],
      'replace: Assigned, on n1',
    ],
  ])('%s', (_, current, desired, attached, expected) => {
    expect(stepOf(current, desired, attached)).toBe(expected);
  });
});

test('a pod of the same name on another node is not served by the former one', () => {
  const elsewhere = want({ node: 'n2', machine: 'm2' });
  expect(stepOf(stored('Assigned'), elsewhere, ['a@m1'])).toBe('replace: Created, on n2');
  expect(stepOf(stored('Assigned'), elsewhere, ['a@m1', 'a@m2'])).toBe('replace: Assigned, on n2');
});

describe('an assignment that no pod shall have', () => {
  test.each<[string, Assigned | undefined, string]>([
    ['needs nothing when there is none', undefined, 'none'],
    ['ends, whatever is attached', stored('Assigned'), 'finish'],
    ['ends from Unassigned', stored('Unassigned'), 'finish'],
  ])('%s', (_, current, expected) => {
    expect(stepOf(current, undefined, ['a@m1'])).toBe(expected);
  });

  test('stays as it is while the assignments of some pods are not known, also where another pod would get it', () => {
    expect(stepOf(stored('Assigned'), undefined, ['a@m1'], false)).toBe('wait');
    const other = { ...want(), pod: { ...want().pod, metadata: { namespace: 'app-id', name: 'web' } } };
    expect(stepOf(stored('Assigned'), other, ['a@m1'], false)).toBe('wait');
    expect(stepOf(stored('Assigned'), other, ['a@m1'], true)).toBe('replace: Assigned, on n1');
    expect(stepOf(stored('Created'), want(), ['a@m1'], false)).toBe('patch: Assigned');
  });

  test('is only deleted where somebody removed its finalizer', () => {
    const current = stored('Assigned');
    const metadata = { ...current.metadata, finalizers: [] };
    expect(stepOf({ ...current, metadata }, undefined)).toBe('finish');
    const going = { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(stepOf({ ...current, metadata: going }, undefined)).toBe('none');
  });
});

test('an assignment that somebody deletes while a pod needs it ends at once, and is created again', () => {
  const current = stored('Assigned');
  const metadata = { ...current.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
  expect(stepOf({ ...current, metadata }, want(), ['a@m1'])).toBe('finish');
});
